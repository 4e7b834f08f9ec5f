#!/usr/bin/env node
// Only what Node has loaded already and the help's own data, and only syntax that old Nodes can read: this file tells
// them what they lack.
import {writeSync} from 'node:fs';
import {join} from 'node:path';
import {findCommand, helpFor} from './commands/help.ts';
import {leadingWords} from './commands/words.ts';
import {type CompiledScript, runScript} from './compiled-script.ts';

const needed = [22, 19] as const;

function isTooOld(running: string): boolean {
	const [major = 0, minor = 0] = running.split('.').map(Number);
	return major < needed[0] || (major === needed[0] && minor < needed[1]);
}

/** Each command keeps the code it needs in files of its own, so that none reads what only another one needs. */
function keptCode(argv: readonly string[]): string | undefined {
	const {HOME: home, XDG_CACHE_HOME: own} = process.env;
	const cache = own?.startsWith('/') ? own : home?.startsWith('/') ? `${home}/.cache` : undefined;
	const command = findCommand(leadingWords(argv))?.path.replace(' ', '-') ?? 'screen';
	return cache && `${cache}/quarterdeck/compiled/${command}-${process.version}-${process.arch}`;
}

/** The scripts of the build: each runs when it is first asked for, and may ask for others. */
function createScripts(argv: readonly string[]) {
	const kept = keptCode(argv);
	const running = new Map<string, CompiledScript<unknown>>();
	function exportsOf(name: string): unknown {
		const identity = __SCRIPTS__[name];
		if (identity === undefined) return undefined;
		const script =
			running.get(name) ??
			runScript<unknown>({
				file: join(import.meta.dirname, `${name}.js`),
				identity,
				kept: kept && `${kept}-${name}`,
				answer: exportsOf,
			});
		running.set(name, script);
		return script.exports;
	}
	return {
		exportsOf,
		keep() {
			for (const script of running.values()) script.keep();
		},
	};
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
	const {exportsOf, keep} = createScripts(argv);
	const program = exportsOf('program') as typeof import('./commands/run.ts');
	await program.run(argv, keep);
}

if (isTooOld(process.versions.node)) {
	print(
		2,
		`quarterdeck needs Node ${needed.join('.')} or newer, this is ${process.versions.node}: install a newer Node.\n`,
	);
	process.exitCode = 1;
} else {
	void main(process.argv.slice(2));
}
