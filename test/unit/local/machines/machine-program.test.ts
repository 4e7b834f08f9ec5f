import {existsSync} from 'node:fs';
import {text} from 'node:stream/consumers';
import {expect, onTestFinished, test} from 'vitest';
import {runOnMachine} from '../../../../src/local/machines/machine-program.ts';

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
