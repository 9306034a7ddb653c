/**
 * Writes the drawings in public/art in fewer bytes, where that makes them smaller on the wire: `npm run art`,
 * after a drawing was added or changed. Coordinates keep two decimals, of drawings 1,200 units wide and more.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";
import { optimize } from "svgo";

const onTheWire = (drawing: string) => brotliCompressSync(drawing).length;

for (const file of globSync("public/art/*.svg").sort()) {
  const before = readFileSync(file, "utf8");
  const { data } = optimize(before, { path: file, multipass: true, floatPrecision: 2 });
  const [was, is] = [onTheWire(before), onTheWire(data)];
  if (is < was) writeFileSync(file, data);
  console.info(`${file}: ${is < was ? `${was} → ${is}` : `stays at ${was}`} bytes`);
}
