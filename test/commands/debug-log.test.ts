import {readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {setUpPlaces} from '../support/places.ts';

test('--debug logs requests and sends of a command, without its text and key', async () => {
	const {a1, cli} = await setUpPlaces();
	expect((await a1.run('messages', 'session-a1')).stderr).toBe('');
	const sent = await a1.run('--debug', 'send', 'session-a1', 'words of mine');
	expect(sent.code).toBe(0);
	const file = join(cli.stateFolder, 'debug.log');
	expect(sent.stderr).toContain(`writing the debug log to ${file}`);
	const text = readFileSync(file, 'utf8');
	expect(text).toMatch(/debug \[\d+\] request method=POST path=\S*session-a1\S* status=2\d\d ms=\d/);
	expect(text).toMatch(/info {2}\[\d+\] outbox id=\S+ session=session-a1 event=accepted state=accepted/);
	expect(text).not.toMatch(/words of mine|key-a1/);
	expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('QUARTERDECK_DEBUG sets the level, and a wrong one is reported', async () => {
	const {a1, cli} = await setUpPlaces();
	const run = (level: string) =>
		cli.run(['messages', 'session-a1'], {env: {...a1.env, QUARTERDECK_DEBUG: level}});
	expect(await run('loud')).toMatchObject({
		code: 0,
		stderr: expect.stringContaining('QUARTERDECK_DEBUG is loud'),
	});
	expect((await run('warn')).code).toBe(0);
	expect(readFileSync(join(cli.stateFolder, 'debug.log'), 'utf8')).toBe('');
});
