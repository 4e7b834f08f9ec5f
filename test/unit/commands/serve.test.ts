import {mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {InterruptedError} from '../../../src/commands/cli/errors.ts';
import {findCommand} from '../../../src/commands/cli/help.ts';
import {parse} from '../../../src/commands/cli/parse.ts';
import {createOutput} from '../../../src/commands/output/output.ts';
import {removeOldPrograms, serve} from '../../../src/commands/serve.ts';
import {systemClock} from '../../../src/domain/clock.ts';
import {temporaryFolder} from '../../support/local-service.ts';

/** Runs `serve` in a state folder, interrupted while it starts. */
async function serveInterrupted(state: string) {
	const {flags} = await parse([], findCommand(['serve']));
	const lines: string[] = [];
	const stream = {write: (text: string) => lines.push(text)};
	const code = await serve({
		args: [],
		flags,
		output: createOutput(false, {stdout: stream, stderr: stream}),
		input: {flags: {}, env: {XDG_STATE_HOME: state}, home: temporaryFolder()},
		wiring: () => Promise.reject(new Error('not used')),
		system: {...process, folder: state, script: '', pid: process.pid},
		clock: systemClock,
		signal: AbortSignal.abort(new InterruptedError()),
	});
	return {code, said: lines.join('')};
}

test('serve ends when it is interrupted while it starts', {timeout: 20_000}, async () => {
	const {code, said} = await serveInterrupted(temporaryFolder());
	expect(code).toBe(0);
	expect(said).toContain('socket');
});

test("serve says how to choose another folder when it can't use this one", async () => {
	const folder = temporaryFolder();
	const file = join(folder, 'quarterdeck');
	writeFileSync(file, '');
	await expect(serveInterrupted(folder)).rejects.toThrow(
		`${file}/local is a file, or below one: set XDG_STATE_HOME to another folder`,
	);
	await expect(serveInterrupted('/proc/1/nothing')).rejects.toThrow(
		/nothing.* can't be used \(ENOENT\): make it writable, or set XDG_STATE_HOME to another folder/,
	);
});

test('a service on a machine removes earlier copies that no hook runs', () => {
	const folder = join(temporaryFolder(), 'remote');
	const build = (version: string, letter: string) => `${version}-${letter.repeat(12)}`;
	const [own, old, hooked] = [build('0.3.0', 'a'), build('0.1.0', 'b'), build('0.2.0-beta.1', 'c')];
	const nodes = ['node-v24.1.0', 'node-v24.2.0', 'node-v22.19.0'];
	for (const name of [own, old, hooked, 'new-1234', 'notes-of-mine', ...nodes])
		mkdirSync(join(folder, name), {recursive: true});
	const script = join(folder, own, 'cli.cjs');
	writeFileSync(script, '');
	const launcher = join(folder, 'launcher');
	writeFileSync(
		launcher,
		`node='/home/it'\\''s/remote/node-v24.1.0'\nhook='/home/it'\\''s/remote/${hooked}/hook.cjs'\n`,
	);
	const kept = [own, hooked, 'new-1234', 'notes-of-mine', 'node-v24.1.0', 'node-v24.2.0', 'launcher'];
	removeOldPrograms({script, node: join(folder, 'node-v24.2.0'), launcher});
	expect(readdirSync(folder).sort()).toEqual(kept.sort());

	// Without hooks, the launcher isn't there.
	removeOldPrograms({script, node: '/usr/bin/node', launcher: join(folder, 'none')});
	expect(readdirSync(folder).sort()).toEqual([own, 'new-1234', 'notes-of-mine', 'launcher'].sort());
	// An installed program is in a folder of another kind.
	const installed = join(folder, 'notes-of-mine', 'cli.cjs');
	writeFileSync(installed, '');
	removeOldPrograms({script: installed, node: '/usr/bin/node', launcher: join(folder, 'none')});
	expect(readdirSync(folder)).toContain(own);
});
