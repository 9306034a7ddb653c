#!/usr/bin/python3
"""A window with only a WebKit page, for WebKitWebDriver: MiniBrowser's window is wider than a phone.

webkit-window.py FOLDER, where the page keeps what it stores.
"""
import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2

folder = sys.argv[1]
context = WebKit2.WebContext(
    website_data_manager=WebKit2.WebsiteDataManager(
        base_data_directory=folder, base_cache_directory=folder
    )
)
context.set_automation_allowed(True)
context.set_preferred_languages(["ko-KR"])
window = Gtk.Window()
# Lets a page enlarge its text, as a setting of the system does: `webkit.messageHandlers.textZoom.postMessage(1.5)`.
content = WebKit2.UserContentManager()
content.register_script_message_handler("textZoom")
content.connect(
    "script-message-received::textZoom",
    lambda _content, message: view.set_zoom_level(message.get_js_value().to_double()),
)
view = WebKit2.WebView(
    web_context=context, is_controlled_by_automation=True, user_content_manager=content
)
view.get_settings().set_zoom_text_only(True)
view.connect("close", lambda *_: window.destroy())
view.get_settings().set_enable_write_console_messages_to_stdout(True)


def on_automation_started(_context, session):
    session.connect("create-web-view", lambda *_: view)


context.connect("automation-started", on_automation_started)
window.add(view)
window.connect("destroy", Gtk.main_quit)
window.show_all()
# Moves the window under the pointer, which rests in the middle of the screen, so that the window has the focus.
window.move(1000, 900)
Gtk.main()
