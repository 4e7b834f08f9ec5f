import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {servedCommands} from '../support/commands.ts';
import type {Reply} from '../support/fault-server.ts';
import {json, resetAfter} from '../support/replies.ts';

describe("a message that is sent but can't be saved", () => {
	async function sendUnsaved(reply: Reply) {
		const {cli, env} = await servedCommands(reply);
		const file = join(cli.home, 'a-file');
		writeFileSync(file, '');
		return cli.run(['send', 's-1', 'words'], {env: {...env, XDG_STATE_HOME: file}});
	}

	test.each([
		['a reset', resetAfter(0, '')],
		['a 500', json({error: 'no'}, 500)],
	])("isn't called saved when %s leaves open whether it arrived", async (_, reply) => {
		const {code, stdout, stderr} = await sendUnsaved(reply);
		expect({code, stdout}).toEqual({code: 5, stdout: ''});
		expect(stderr).toMatch(
			/may have been accepted, and it is not saved: repeating the command may send it twice. Check \S+ messages s-1 first\.\n$/,
		);
		expect(stderr).not.toMatch(/It is saved|outbox/);
	});

	test.each([
		[401, 3],
		[403, 3],
		[400, 1],
	])('ends with the exit code of its refusal: %i with %i', async (status, code) => {
		const result = await sendUnsaved(json({error: 'no'}, status));
		expect(result).toMatchObject({code, stdout: '', stderr: expect.stringContaining('is not saved')});
	});
});
