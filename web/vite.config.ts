// Builds the browser's side into the Python package, so that it travels inside the wheel.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { compress } from "./plugins/compress.ts";

export default defineConfig({
  base: "./", // the server makes these addresses whole: it may be below a path
  plugins: [svelte(), compress()],
  build: {
    outDir: "../src/ludoteca/server/web",
    emptyOutDir: true,
    target: ["chrome123", "edge123", "firefox128", "safari17.5"], // the first with light-dark()
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0, // the content security policy allows no data: addresses
    chunkSizeWarningLimit: 600, // three.js, which one game loads when its board is opened
  },
  server: { fs: { allow: [".."] }, proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } } },
  test: { include: ["test/**/*.test.ts"] },
});
