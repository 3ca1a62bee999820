// Writes a .gz and a .br beside every built file that shrinks, so that the server never compresses one twice.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const SHRINKS = /\.(html|js|css|svg|json|txt|webmanifest)$/;
const WORTH_IT = 200; // bytes

export function compress(): Plugin {
  let folder = "";
  return {
    name: "compress",
    apply: "build",
    configResolved(config) {
      folder = join(config.root, config.build.outDir);
    },
    closeBundle() {
      for (const file of filesOf(folder).filter((name) => SHRINKS.test(name))) {
        const plain = readFileSync(file);
        if (plain.length < WORTH_IT) continue;
        writeFileSync(file + ".gz", gzipSync(plain, { level: 9 }));
        writeFileSync(file + ".br", brotliCompressSync(plain));
      }
    },
  };
}

function filesOf(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesOf(path) : [path];
  });
}
