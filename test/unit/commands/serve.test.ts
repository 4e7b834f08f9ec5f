import {expect, test} from 'vitest';
import {InterruptedError} from '../../../src/commands/cli/errors.ts';
import {findCommand} from '../../../src/commands/cli/help.ts';
import {parse} from '../../../src/commands/cli/parse.ts';
import {createOutput} from '../../../src/commands/output/output.ts';
import {serve} from '../../../src/commands/serve.ts';
import {systemClock} from '../../../src/sync/core/clock.ts';
import {temporaryFolder} from '../../support/local-service.ts';

test('serve ends when it is interrupted while it starts', {timeout: 20_000}, async () => {
	const home = temporaryFolder();
	const {flags} = await parse(['--folder', home], findCommand(['serve']));
	const lines: string[] = [];
	const stream = {write: (text: string) => lines.push(text)};
	const code = await serve({
		args: [],
		flags,
		output: createOutput(false, {stdout: stream, stderr: stream}),
		input: {flags: {}, env: {}, home},
		wiring: () => Promise.reject(new Error('not used')),
		clock: systemClock,
		signal: AbortSignal.abort(new InterruptedError()),
	});
	expect(code).toBe(0);
	expect(lines.join('')).toContain('socket');
});
