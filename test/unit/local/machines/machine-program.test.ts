import {existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {expect, onTestFinished, test, vi} from 'vitest';
import {runOnMachine} from '../../../../src/local/machines/machine-program.ts';
import {temporaryFolder} from '../../../support/local-service.ts';

test.skipIf(!existsSync('/bin/busybox'))(
	'a shell that reads ahead takes nothing of what follows the script',
	async () => {
		const closing = new AbortController();
		onTestFinished(() => closing.abort());
		const script = `\nprintf '\\nquarterdeck-machine 1\\n'\ncat\n${'# Much to read.\n'.repeat(200)}`;
		const address = {host: {command: ['/bin/busybox']}, controlPath: undefined};
		const program = await runOnMachine(address, script, closing.signal);
		program.input.end('what follows');
		expect(await text(program.output)).toBe('what follows');
	},
);

test('a machine that is busy is waited for while it starts its service', async () => {
	const closing = new AbortController();
	onTestFinished(() => closing.abort());
	const started = join(temporaryFolder(), 'started');
	const script = `\nuntil [ -e '${started}' ]; do sleep 0.02; done\nprintf '\\nquarterdeck-bridge 1\\n'\n`;
	vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
	onTestFinished(() => void vi.useRealTimers());
	const running = runOnMachine(
		{host: {command: ['/usr/bin/env']}, controlPath: undefined},
		script,
		closing.signal,
	);
	vi.advanceTimersByTime(30_000);
	writeFileSync(started, '');
	expect(await running).toMatchObject({marker: 'bridge'});
});
