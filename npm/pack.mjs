// node npm/pack.mjs DIST OUT packs what `make dist` has made for npm: one package for each system, with the
// program, and @chela/chela, which finds it. The systems are the optional dependencies in package.json.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const [dist, out] = process.argv.slice(2).map((path) => resolve(path));
const here = dirname(fileURLToPath(import.meta.url));
const read = (path) => JSON.parse(readFileSync(path, 'utf8'));

const { version } = read(join(dist, 'metadata.json'));
const programs = read(join(dist, 'artifacts.json')).filter((a) => a.type === 'Binary');
const chela = read(join(here, 'package.json'));
const names = Object.keys(chela.optionalDependencies);

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

for (const name of names) {
  const [os, cpu] = name.split('/')[1].split('-');
  pack({
    name, version, description: `The program chela for ${os} on ${cpu}; @chela/chela runs it`, license: chela.license,
    os: [os], cpu: [cpu], files: ['bin', 'licences.txt'], preferUnplugged: true,
  }, (folder) => {
    put(programFor(os, cpu), join(folder, 'bin', os === 'win32' ? 'chela.exe' : 'chela'), 0o755);
    put(join(dist, '../.cache/package/licences.txt'), join(folder, 'licences.txt'), 0o644);
  });
}

const optionalDependencies = Object.fromEntries(names.map((name) => [name, version]));
pack({ ...chela, version, optionalDependencies }, (folder) => {
  put(join(here, 'bin/chela.js'), join(folder, 'bin/chela.js'), 0o755);
  put(join(here, 'README.md'), join(folder, 'README.md'), 0o644);
});

// programFor returns the file that GoReleaser has built for a system, which node calls os and cpu.
function programFor(os, cpu) {
  const goos = os === 'win32' ? 'windows' : os;
  const goarch = cpu === 'x64' ? 'amd64' : cpu;
  const found = programs.find((a) => a.goos === goos && a.goarch === goarch);
  if (!found) throw new Error(`${dist} has no program for ${goos} ${goarch}`);
  return join(dist, '..', found.path);
}

// put copies a file. The rights of the copy do not depend on who has cloned the repository.
function put(from, to, mode) {
  copyFileSync(from, to);
  chmodSync(to, mode);
}

// pack writes a package into a folder of its own and makes a tarball of it.
function pack(description, fill) {
  const folder = mkdtempSync(join(tmpdir(), 'chela-npm-'));
  try {
    mkdirSync(join(folder, 'bin'));
    fill(folder);
    put(join(here, '../LICENSE'), join(folder, 'LICENSE'), 0o644);
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(description, null, 2)}\n`);
    chmodSync(join(folder, 'package.json'), 0o644);
    execFileSync('npm', ['pack', '--silent', '--pack-destination', out], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
