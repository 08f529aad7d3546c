// Builds the page that the server ships: type check (tsc), bundle (esbuild), into one directory of a
// few files. Maven and Gradle both call this; it does nothing when nothing has changed.
//
//   node build.mjs OUT        build into OUT
//   node build.mjs bench URL [--json] [--profile]   measure the viewer that runs there (needs Chromium)
//   node build.mjs pictures DIRECTORY TOUR WEB GO  take the documentation's pictures; see viewer-web/pictures
//   node build.mjs test OUT [logic|browser]   bundle those tests into OUT and run them with node --test
//
// "Changed" is decided by content hashes, not by time stamps: a fresh checkout with a restored cache
// must not rebuild, and a branch switch must.
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const web = dirname(fileURLToPath(import.meta.url));
const [major] = process.versions.node.split('.').map(Number);
if (major < 20) fail(`the viewer's front end needs Node 20 or newer, this is ${process.version}`);

const testing = process.argv[2] === 'test';
const measuring = process.argv[2] === 'bench';
const out = resolve(process.argv[testing ? 3 : 2] ?? join(web, testing ? '../../../target/web-test' : '../../../target/classes/dev/gmptrace/viewer/web'));

installPackages();
if (testing) await runTests();
else if (measuring) await runBench(process.argv[3]);
else if (process.argv[2] === 'pictures') await takePictures(process.argv.slice(3));
else await buildPage();

function installPackages() {
  const stamp = join(web, 'node_modules', '.gmptrace-lock-hash');
  const hash = hashOf([join(web, 'package-lock.json')]);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']);
  writeFileSync(stamp, hash);
}

async function buildPage() {
  const stamp = join(dirname(out), `.${out.split(/[\\/]/).pop()}.hash`);
  const hash = hashOf([...files(join(web, 'src')), ...['index.html', 'tsconfig.json', 'package-lock.json', 'build.mjs'].map((f) => join(web, f))]);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash && existsSync(join(out, 'index.html'))) return;
  run(process.execPath, [join(web, 'node_modules/typescript/bin/tsc'), '-p', web]);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const { build } = await import('esbuild');
  await build({
    absWorkingDir: web,
    entryPoints: { app: 'src/main.ts' },
    outdir: out,
    bundle: true,
    minify: true,
    sourcemap: 'linked',
    format: 'esm',
    target: ['chrome100', 'firefox100', 'safari16'],
    loader: { '.svg': 'dataurl' },
    logLevel: 'warning',
  });
  writeFileSync(join(out, 'index.html'), readFileSync(join(web, 'index.html')));
  writeFileSync(stamp, hash);
}

async function runTests() {
  rmSync(out, { recursive: true, force: true });
  await bundleForNode(files(join(web, 'test', process.argv[4] ?? 'logic')).filter((f) => f.endsWith('.test.ts')), out);
  run(process.execPath, ['--enable-source-maps', '--test', '--test-concurrency=1', '--test-reporter=tap', ...files(out).filter((f) => f.endsWith('.mjs'))]);
}

async function runBench(url) {
  const dir = join(web, '../../../target/web-bench');
  await bundleForNode([join(web, 'test/bench/viewer.ts')], dir);
  run(process.execPath, [join(dir, 'viewer.mjs'), url.endsWith('/') ? url : `${url}/`, ...process.argv.slice(4)]);
}

async function takePictures(args) {
  const dir = join(web, '../../../target/web-pictures');
  await bundleForNode([join(web, 'test/pictures/pictures.ts')], dir);
  run(process.execPath, [join(dir, 'pictures.mjs'), resolve(args[0]), ...args.slice(1)]);
}

async function bundleForNode(entryPoints, outdir) {
  const { build } = await import('esbuild');
  await build({
    absWorkingDir: web,
    entryPoints,
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    sourcemap: 'inline',
    platform: 'node',
    format: 'esm',
    plugins: [fromHere('playwright-core', 'index.mjs')],
    logLevel: 'warning',
  });
}

/** A package that is not bundled; the bundle lies outside the reach of node_modules, so it is named in full. */
function fromHere(name, entry) {
  const path = pathToFileURL(join(web, 'node_modules', name, entry)).href;
  return { name, setup: (build) => build.onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path, external: true })) };
}

function files(dir) {
  return readdirSync(dir)
    .sort()
    .flatMap((name) => {
      const path = join(dir, name);
      return statSync(path).isDirectory() ? files(path) : [path];
    });
}

function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(relative(web, path)).update('\0').update(readFileSync(path)).update('\0');
  return hash.digest('hex');
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: web, stdio: 'inherit', shell: process.platform === 'win32' && command === 'npm' });
  if (error) fail(`cannot run ${command}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

function fail(message) {
  console.error(`viewer-web: ${message}`);
  process.exit(1);
}
