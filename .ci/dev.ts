import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {watch} from 'node:fs';
import {join, resolve} from 'node:path';

// `npm run dev [-- FLAGS]`: builds with names and source maps, starts the program with the flags (`--local` if there are
// none), and does both again when a source changes. Ends with the program. A build that fails waits for the next change.
const top = resolve(import.meta.dirname, '..');
const flags = process.argv.length > 2 ? process.argv.slice(2) : ['--local'];
/** Editors write a file in several steps: the last of them counts, ms. */
const settle = 100;

let change = Promise.withResolvers<'changed'>();
let timer: NodeJS.Timeout | undefined;
for (const folder of ['src', 'hooks', '.ci']) {
	watch(join(top, folder), {recursive: true}, () => {
		clearTimeout(timer);
		timer = setTimeout(() => change.resolve('changed'), settle);
	});
}

let running: ChildProcess | undefined;
for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
	process.on(signal, () => {
		running?.kill(signal);
		if (!running) process.exit(1);
	});
}

async function run(file: string, args: readonly string[]): Promise<number> {
	running = spawn(process.execPath, [join(top, file), ...args], {stdio: 'inherit'});
	const [code] = await once(running, 'exit');
	running = undefined;
	return code ?? 1;
}

for (;;) {
	change = Promise.withResolvers();
	const isBuilt = (await run('.ci/build.ts', [join(top, 'dist'), 'readable'])) === 0;
	// The service that runs is the last build's.
	if (isBuilt) await run('dist/cli.cjs', ['serve', '--stop', '--yes']);
	const ended = isBuilt ? run('dist/cli.cjs', flags) : undefined;
	const first = await Promise.race([change.promise, ...(ended ? [ended] : [])]);
	if (first !== 'changed') process.exit(first);
	// It gives the terminal back and saves what was typed.
	running?.kill('SIGTERM');
	await ended;
}
