import {userInfo} from 'node:os';
import {expect, onTestFinished, test, vi} from 'vitest';
import {thisProcess} from '../../../../src/commands/cli/system.ts';

test.each([
	['', userInfo().homedir],
	['a/b', userInfo().homedir],
	[undefined, userInfo().homedir],
	['/', '/'],
])('with HOME=%s the home is %s, and no folder depends on where the program runs', (HOME, expected) => {
	const {title} = process;
	onTestFinished(() => {
		vi.unstubAllEnvs();
		process.title = title;
	});
	vi.stubEnv('HOME', HOME);
	const {home, env} = thisProcess();
	expect([home, env.HOME]).toEqual([expected, expected]);
});
