#!/usr/bin/env node
// Only what Node has loaded already, and only syntax that old Nodes can read: this file tells them what they lack.
import {readFileSync} from 'node:fs';
import * as nodeModule from 'node:module';

const needed = [22, 19] as const;

function version(): string {
	const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
	return (JSON.parse(text) as {version: string}).version;
}

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

async function main(argv: readonly string[]): Promise<void> {
	// What follows `--` is text, never a flag.
	const end = argv.indexOf('--');
	const flags = end < 0 ? argv : argv.slice(0, end);
	if (flags.includes('--version')) {
		process.stdout.write(`${version()}\n`);
		return;
	}
	enableCompileCache();
	if (flags.includes('--help')) {
		const [{helpText}, {leadingWords}] = await Promise.all([
			import('./commands/help.ts'),
			import('./commands/words.ts'),
		]);
		process.stdout.write(helpText(leadingWords(argv)));
		return;
	}
	const {run} = await import('./commands/run.ts');
	await run(argv, version);
}

if (isTooOld(process.versions.node)) {
	process.stderr.write(
		`quarterdeck needs Node ${needed.join('.')} or newer, this is ${process.versions.node}: install a newer Node.\n`,
	);
	process.exitCode = 1;
} else {
	await main(process.argv.slice(2));
}
