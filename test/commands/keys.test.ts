import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {commands} from '../../src/commands/cli/table.ts';
import {jsonLines} from '../support/cli.ts';
import {commandsAt} from '../support/commands.ts';
import {temporaryFolder} from '../support/local-service.ts';

test('quarterdeck keys lists every key and the command that does the same, as a table and as JSON, without a service or a screen', async () => {
	const cli = commandsAt(temporaryFolder());
	const {code, stdout, stderr} = await cli.run(['keys']);
	expect({code, stderr}).toEqual({code: 0, stderr: ''});
	expect(stdout).toMatch(/^KEYS +ACTION +WHERE +DESCRIPTION +COMMAND\n/);
	expect(stdout).toMatch(/^X +archive +Sessions in Work, An open session.* +Archive the session/m);
	expect(stdout).toMatch(/^Ctrl\+C +interrupt +Everywhere/m);
	const json = await cli.run(['keys', '--json']);
	const bindings = jsonLines(json.stdout);
	expect(bindings).toHaveLength(stdout.trimEnd().split('\n').length - 1);
	const named = bindings.flatMap(({command}) => command ?? []);
	expect(named).toContain('sessions create');
	expect(commands.map(({path}) => path)).toEqual(expect.arrayContaining(named));
}, 60_000);

test('invalid key settings are reported by the doctor and the list of keys', async () => {
	const cli = commandsAt(temporaryFolder());
	const folder = join(cli.home, '.config/quarterdeck');
	mkdirSync(folder, {recursive: true});
	const chosen = {filter: 'n', archvie: 'ctrl+x', interrupt: 'ctrl+y'};
	writeFileSync(
		join(folder, 'config.json'),
		JSON.stringify({keys: chosen, mouze: false, asci: true, profiles: {acme: {}}}),
	);
	const doctor = await cli.run(['doctor', '--local']);
	expect(doctor.stdout).toMatch(/keys +warning +there is no action archvie/);
	expect(doctor.stdout).toMatch(
		/configuration +warning .*: mouze: there is no such setting; did you mean mouse\?.*: asci: there/,
	);
	expect(doctor.stdout.match(/^configuration /gm)).toHaveLength(1);
	expect(doctor.stdout).toMatch(
		/n is filter, not new-session, in Sessions view, Sessions in Work, Computers in Work/,
	);
	expect(doctor.stdout).toMatch(/interrupt: its key can't be changed/);
	expect(doctor.stdout.match(/^keys: fix/gm)).toHaveLength(1);
	expect(doctor.stdout).toMatch(
		/profiles +ok +this checks local; to check another: quarterdeck doctor --profile acme\n/,
	);
	expect(doctor.stdout).toMatch(/\n\n\d+ warnings: see above\.\n$/);

	const keys = await cli.run(['keys', '--json']);
	expect(keys.code).toBe(0);
	expect(keys.stderr).toContain('keys: there is no action archvie; did you mean archive?');
	const rows = jsonLines(keys.stdout) as {
		action: string;
		keys: string[];
		contexts: string[];
		isChosen: boolean;
	}[];
	expect(rows.find(row => row.action === 'filter')).toMatchObject({keys: ['n'], isChosen: true});
	expect(rows.find(row => row.action === 'interrupt')).toMatchObject({keys: ['ctrl+c'], isChosen: false});
});
