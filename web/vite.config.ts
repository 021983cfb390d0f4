import { defineConfig } from "vite";

// Relative to this folder. `npm run dev` shows the page against a service: HOLOSTAT=http://127.0.0.1:8080.
const service = process.env.HOLOSTAT ?? "http://127.0.0.1:8080";

export default defineConfig({
  build: {
    outDir: "../build/web",
    target: "es2022",
    assetsInlineLimit: 0, // no data: links, which the page's policy forbids
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    fs: { allow: [".."] },
    proxy: { "/v1": { target: service, ws: true }, "/readyz": service },
  },
});
