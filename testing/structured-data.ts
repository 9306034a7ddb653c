/** Checks structured data as search engines do: the words of schema.org, and the fields that Google requires. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import Validator from "@adobe/structured-data-validator";
import { z } from "zod";

export type SchemaNode = { "@type": string; [property: string]: unknown };

const graph = z.strictObject({
  "@context": z.literal("https://schema.org"),
  "@graph": z.array(z.looseObject({ "@type": z.string() })),
});

/** The nodes of a page's JSON-LD. @throws when it is not one graph of schema.org. */
export function graphNodes(json: string): SchemaNode[] {
  return graph.parse(JSON.parse(json))["@graph"];
}

/** A node and every node inside it. */
function nodesWithin(value: unknown): SchemaNode[] {
  if (Array.isArray(value)) return value.flatMap(nodesWithin);
  if (typeof value !== "object" || value === null) return [];
  const node = z.looseObject({ "@type": z.string() }).safeParse(value);
  const inside = Object.values(value).flatMap(nodesWithin);
  return node.success ? [node.data, ...inside] : inside;
}

const MODULES = resolve("node_modules");
const COMPILER = [
  join(MODULES, "typescript", "bin", "tsc"),
  ...["--ignoreConfig", "--noEmit", "--strict", "--skipLibCheck", "--pretty", "false"],
  ...["--module", "preserve", "--moduleResolution", "bundler", "--types", ""],
];

/**
 * What in these nodes is not schema.org's: an unknown type or property, or a value that a property does not
 * take. The vocabulary is schema-dts, made from schema.org's own; the compiler compares. Each node is also
 * compared by itself, because inside another one a bare `@id` would let anything pass.
 */
export async function vocabularyFaults(nodes: readonly SchemaNode[]): Promise<string[]> {
  const vocabulary = JSON.stringify(join(MODULES, "schema-dts", "dist", "schema.d.ts"));
  const lines = nodesWithin(nodes).map(
    (node, index) => `export const n${index}: s.${node["@type"]}Leaf = ${JSON.stringify(node)};`,
  );
  const folder = await mkdtemp(join(tmpdir(), "schema-"));
  const file = join(folder, "nodes.ts");
  await writeFile(file, [`import type * as s from ${vocabulary};`, ...lines].join("\n"));
  const output = await new Promise<string>((done) => {
    execFile(process.execPath, [...COMPILER, file], (_, stdout, stderr) => done(stdout + stderr));
  });
  await rm(folder, { recursive: true });
  return output
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => line.replace(folder, ""));
}

/** Which required fields of Google's types are missing: Adobe's validator, and Google's two for a local business. */
export async function requiredFieldFaults(nodes: readonly SchemaNode[]): Promise<string[]> {
  const jsonld = Object.fromEntries(
    nodes.map(({ "@type": type }) => [type, nodes.filter((node) => node["@type"] === type)]),
  );
  const issues = await new Validator().validate({ jsonld });
  const business = nodes
    .filter((node) => node["@type"] === "LocalBusiness")
    .flatMap((node) => ["name", "address"].filter((field) => !node[field]))
    .map((field) => `LocalBusiness: ${field} is missing`);
  return [
    ...issues.map(({ rootType, issueMessage }) => `${rootType}: ${issueMessage}`),
    ...business,
  ];
}
