import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {InterruptedError} from '../../../src/commands/cli/errors.ts';
import {findCommand} from '../../../src/commands/cli/help.ts';
import {parse} from '../../../src/commands/cli/parse.ts';
import {createOutput} from '../../../src/commands/output/output.ts';
import {serve} from '../../../src/commands/serve.ts';
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
