import {expect, test} from 'vitest';
import {jsonLines} from '../support/cli.ts';
import {commandsAt} from '../support/commands.ts';
import {temporaryFolder} from '../support/local-service.ts';

test('quarterdeck keys lists every key, as a table and as JSON, without a service or a screen', async () => {
	const cli = commandsAt(temporaryFolder());
	const {code, stdout, stderr} = await cli.run(['keys']);
	expect({code, stderr}).toEqual({code: 0, stderr: ''});
	expect(stdout).toMatch(/^KEYS +ACTION +WHERE +DESCRIPTION\n/);
	expect(stdout).toMatch(/^X +archive +Sessions, Stream.* +Archive the session/m);
	expect(stdout).toMatch(/^Ctrl\+C +interrupt +Everywhere/m);
	const json = await cli.run(['keys', '--json']);
	expect(jsonLines(json.stdout)).toHaveLength(stdout.trimEnd().split('\n').length - 1);
}, 60_000);
