// Adds up the JUnit-style reports (Surefire's and the page's) in the folders given, names the tests
// that failed or were skipped, and prints the closing line. Exits 1 when a test failed or none ran.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

let passed = 0;
const failed = [];
const skipped = [];
const failedSeeds = new Set();

/** Tests with random input print their seed; the output goes to a file, and is wanted when one failed. */
const seeds = (file) => (existsSync(file) ? readFileSync(file, "utf8").match(/^.*gmptrace\.seed=.*$/gm) ?? [] : []);
const decode = (text) =>
  text.replace(/&(lt|gt|quot|apos|amp|#(\d+)|#x([0-9a-f]+));/gi, (whole, name, dec, hex) =>
    dec ? String.fromCodePoint(+dec) : hex ? String.fromCodePoint(parseInt(hex, 16))
      : { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" }[name.toLowerCase()]);

for (const folder of process.argv.slice(2)) {
  if (!existsSync(folder)) continue;
  for (const file of readdirSync(folder).filter((name) => /^TEST-.*\.xml$/.test(name))) {
    const xml = readFileSync(join(folder, file), "utf8").replace(/<!\[CDATA\[[\s\S]*?\]\]>/g, "");
    for (const [, attributes, selfClosed, body] of xml.matchAll(
      /<testcase\b((?:[^>"']|"[^"]*"|'[^']*')*?)(?:(\/)>|>([\s\S]*?)<\/testcase>)/g)) {
      const attribute = (key) => decode(attributes.match(new RegExp(`\\b${key}="([^"]*)"`))?.[1] ?? "");
      const name = `${attribute("classname")}: ${attribute("name")}`;
      const inner = selfClosed ? "" : body;
      if (/<(failure|error)\b/.test(inner)) {
        failed.push(name);
        seeds(join(folder, `${attribute("classname")}-output.txt`)).forEach((line) => failedSeeds.add(line));
      }
      else if (/<skipped\b/.test(inner)) {
        const why = inner.match(/<skipped\b[^>]*\bmessage="([^"]*)"/)?.[1];
        skipped.push(why ? `${name} (${decode(why)})` : name);
      } else passed++;
    }
  }
}

for (const name of skipped) console.log(`skipped: ${name}`);
for (const name of failed) console.log(`FAILED:  ${name}`);
for (const line of failedSeeds) console.log(`         ${line}`);
console.log(`${passed} passed, ${failed.length} failed, ${skipped.length} skipped`);
process.exit(failed.length > 0 || passed === 0 ? 1 : 0);
