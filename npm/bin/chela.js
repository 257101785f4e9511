#!/usr/bin/env node
// Runs the program chela. It is in a package for each system, such as @chela/linux-x64, and npm
// installs the one for this system. Nothing is downloaded here.
'use strict';

const { spawn } = require('node:child_process');
const { optionalDependencies, version } = require('../package.json');

const name = `@chela/${process.platform}-${process.arch}`;

// fail prints an error as chela itself does, with what to try.
function fail(message, hint) {
  process.stderr.write(`chela: ${message}\nchela: try: ${hint}\n`);
  process.exit(1);
}

// program returns the path of the program for this system.
function program() {
  if (!optionalDependencies[name]) {
    fail(`there is no package of chela for ${process.platform}-${process.arch}`, 'build it from its source, with Go');
  }
  try {
    return require.resolve(`${name}/bin/chela${process.platform === 'win32' ? '.exe' : ''}`);
  } catch {
    return fail(`the package ${name}, which has the program for this system, is not installed`,
      `npm install ${name}@${version}, and no --omit=optional; node_modules of another system have another program`);
  }
}

// Signals to this process are for the program. A terminal sends its own to both. They are handled from
// before the program starts, because it may be ready at once.
const passOn = (signal) => {
  if (signal === 'SIGTERM' || !process.stdin.isTTY) child.kill(signal);
};
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
for (const signal of signals) process.on(signal, passOn);

const child = spawn(program(), process.argv.slice(2), { stdio: 'inherit' });

child.on('error', (err) => fail(`the program of ${name} cannot be run: ${err.message}`, `npm install --force ${name}@${version}`));

// This process ends as the program does.
child.on('exit', (code, signal) => {
  if (signal === null) process.exit(code);
  for (const each of signals) process.removeListener(each, passOn);
  process.kill(process.pid, signal);
});
