#!/usr/bin/env node
// Imports only what Node has already loaded, and uses only syntax that old Node versions parse: this file must be able
// to tell them that they are too old.
import {existsSync, fstatSync, writeSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {type CompiledScript, runScript} from './compiled-script.ts';

const needed = [22, 19] as const;

function isTooOld(running: string): boolean {
	const [major = 0, minor = 0] = running.split('.').map(Number);
	return major < needed[0] || (major === needed[0] && minor < needed[1]);
}

/** Each command has its own cache of compiled code, so that none loads code that only another one needs. */
function cachePrefix(command: string): string | undefined {
	const {HOME: home, XDG_CACHE_HOME: own} = process.env;
	const cache = own?.startsWith('/') ? own : home?.startsWith('/') ? `${home}/.cache` : undefined;
	return cache && `${cache}/quarterdeck/compiled/${command}-${process.version}-${process.arch}`;
}

/** Loads the build's scripts on first use; a script may load others. */
function createScripts(prefix: string | undefined) {
	const running = new Map<string, CompiledScript<unknown>>();
	function exportsOf(name: string): unknown {
		const identity = __SCRIPTS__[name];
		if (identity === undefined) return undefined;
		const script =
			running.get(name) ??
			runScript<unknown>({
				file: join(import.meta.dirname, `${name}.js`),
				identity,
				cacheFile: prefix && `${prefix}-${name}`,
				resolve: exportsOf,
			});
		running.set(name, script);
		return script.exports;
	}
	return {
		exportsOf,
		saveCache() {
			for (const script of running.values()) script.saveCache();
		},
	};
}

/** Writes straight to the descriptor: loading Node's streams would cost more than the rest of `--version`. */
function print(text: string): void {
	let left = Buffer.from(text);
	try {
		while (left.length > 0) left = left.subarray(writeSync(1, left));
	} catch (error) {
		const {code} = error as NodeJS.ErrnoException;
		// A reader that has closed the pipe (`| head`) is not an error.
		if (code === 'EPIPE' || code === 'EIO') return;
		fail(`stdout can't be written (${code === 'ENOSPC' ? 'disk full' : code}): the output is incomplete`);
	}
}

function fail(why: string): void {
	process.exitCode = 1;
	try {
		writeSync(2, `quarterdeck: ${why}\n`);
	} catch {
		// stderr is closed: only the exit code reports the failure.
	}
}

function helpScript() {
	return createScripts(undefined).exportsOf('help') as typeof import('./commands/cli/help.ts');
}

function isCharacterDevice(descriptor: number): boolean {
	try {
		return fstatSync(descriptor).isCharacterDevice();
	} catch {
		return false;
	}
}

function commandOf(argv: readonly string[]) {
	// Most starts of the screen: it doesn't need the table of commands.
	if (argv.every(part => part.startsWith('--'))) return undefined;
	const {findCommand, leadingWords} = helpScript();
	return findCommand(leadingWords(argv));
}

async function main(argv: readonly string[]): Promise<void> {
	// What follows `--` is text, never a flag.
	const end = argv.indexOf('--');
	const flags = end < 0 ? argv : argv.slice(0, end);
	if (flags.includes('--version')) {
		print(`${__VERSION__}\n`);
		return;
	}
	if (flags.includes('--help') || flags.includes('-h')) {
		// Node's stdout takes a fifth of an empty process to load: only a terminal needs its columns.
		const columns = isCharacterDevice(1) ? process.stdout.columns : undefined;
		const help = helpScript().helpFor(argv, columns);
		if (help !== undefined) {
			print(help);
			return;
		}
	}
	const command = commandOf(argv);
	const prefix = cachePrefix(command?.path.replace(' ', '-') ?? 'screen');
	const {exportsOf, saveCache} = createScripts(prefix);
	const isInScreen = !command || command.readsKeys;
	const program = exportsOf(isInScreen ? 'screen' : 'commands') as typeof import('./commands/cli/run.ts');
	// `uninstall` removes the cache, and a command that only reads creates nothing, as in a status bar that goes on.
	const isCreating = !prefix || !existsSync(dirname(prefix));
	const saves = command?.path !== 'uninstall' && !(command?.onlyReads && isCreating);
	process.exitCode = await program.run(argv, saves ? saveCache : () => {});
}

/** Runs this file on another Node, and ends as that does. */
async function runOn(node: string): Promise<void> {
	const {spawn} = await import('node:child_process');
	const child = spawn(node, process.argv.slice(1), {stdio: 'inherit'});
	// The terminal sends some to both; what is sent to this process alone is for the other.
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)
		process.on(signal, () => child.kill(signal));
	child.once('error', ({message}) => fail(message));
	child.once('exit', (code, signal) => {
		process.exitCode = code ?? 1;
		if (signal === null) return;
		process.removeAllListeners(signal);
		process.kill(process.pid, signal);
	});
}

if (isTooOld(process.versions.node)) {
	// The project's, or that of the line below.
	const own = ['..', '.'].map(folder => join(import.meta.dirname, folder, 'node_modules/node/bin/node'));
	const found = own.find(file => existsSync(file));
	const problem = `needs Node ${needed.join('.')} or later, but this is ${process.versions.node}`;
	const way = `npm install --prefix '${import.meta.dirname}' --no-save node@24`;
	if (found === undefined) fail(`${problem}. This gives it one of its own: ${way}`);
	else void runOn(found);
} else {
	void main(process.argv.slice(2));
}
