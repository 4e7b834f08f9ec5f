#!/usr/bin/env node
// Only what Node has loaded already and the help's own data, and only syntax that old Nodes can read: this file tells
// them what they lack.
import {writeSync} from 'node:fs';
import * as nodeModule from 'node:module';
import {helpFor} from './commands/help.ts';

const needed = [22, 19] as const;

function isTooOld(running: string): boolean {
	const [major = 0, minor = 0] = running.split('.').map(Number);
	return major < needed[0] || (major === needed[0] && minor < needed[1]);
}

/** Compiled code is kept in a folder of ours: the default is a shared temporary one. */
function enableCompileCache(): void {
	const {HOME: home, XDG_CACHE_HOME: cache, NODE_COMPILE_CACHE: own} = process.env;
	if (own !== undefined) nodeModule.enableCompileCache();
	else if (cache?.startsWith('/')) nodeModule.enableCompileCache(`${cache}/quarterdeck/compiled`);
	else if (home?.startsWith('/')) nodeModule.enableCompileCache(`${home}/.cache/quarterdeck/compiled`);
}

/** Straight to the descriptor: Node's streams would cost more than all else that `--version` does. */
function print(descriptor: 1 | 2, text: string): void {
	try {
		writeSync(descriptor, text);
	} catch {
		// A reader that has gone (`| head`) is no failure of ours.
	}
}

async function main(argv: readonly string[]): Promise<void> {
	// What follows `--` is text, never a flag.
	const end = argv.indexOf('--');
	const flags = end < 0 ? argv : argv.slice(0, end);
	if (flags.includes('--version')) {
		print(1, `${__VERSION__}\n`);
		return;
	}
	if (flags.includes('--help')) {
		print(1, helpFor(argv));
		return;
	}
	enableCompileCache();
	const {run} = await import('./commands/run.ts');
	await run(argv);
}

if (isTooOld(process.versions.node)) {
	print(
		2,
		`quarterdeck needs Node ${needed.join('.')} or newer, this is ${process.versions.node}: install a newer Node.\n`,
	);
	process.exitCode = 1;
} else {
	await main(process.argv.slice(2));
}
