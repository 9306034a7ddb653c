import { useEffect, useEffectEvent } from "react";

/** While the component is mounted, the browser's Back calls `close` and stays on the page. */
export function useBackCloses(close: () => void) {
  const onBack = useEffectEvent(close);

  useEffect(() => {
    let wentBack = false;
    const onPop = () => {
      wentBack = true;
      onBack();
    };
    history.pushState(null, "", location.href);
    addEventListener("popstate", onPop);
    return () => {
      removeEventListener("popstate", onPop);
      // Closed in another way: the entry that was made for it goes too.
      if (!wentBack) history.back();
    };
  }, []);
}
