/** Lets a server process load stock photos from a test's server (STOCK_PHOTOS_AT), through a fake name server. */
import dns from "node:dns";
import http from "node:http";
import https from "node:https";
import { syncBuiltinESMExports } from "node:module";

const STOCK = "images.unsplash.com";
const PUBLIC_ADDRESS = { address: "151.101.65.208", family: 4 };
const { STOCK_PHOTOS_AT } = process.env;

if (STOCK_PHOTOS_AT) {
  const { lookup } = dns.promises;
  dns.promises.lookup = async (name, options) =>
    name === STOCK ? [PUBLIC_ADDRESS] : lookup(name, options);
  const { request } = https;
  https.request = (url, options, answer) => {
    if (url.hostname !== STOCK) return request(url, options, answer);
    const { headers, signal } = options;
    return http.request(new URL(url.pathname, STOCK_PHOTOS_AT), { headers, signal }, answer);
  };
  syncBuiltinESMExports();
}
