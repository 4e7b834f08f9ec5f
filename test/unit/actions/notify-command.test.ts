import {chmodSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, expect, test, vi} from 'vitest';
import {createNotifyCommand} from '../../../src/actions/user-programs.ts';
import {appParts} from '../../support/app-parts.ts';
import {eventually} from '../../support/eventually.ts';
import {fakeClock} from '../../support/fake-clock.ts';
import {temporaryFolder} from '../../support/local-service.ts';

afterEach(() => vi.unstubAllEnvs());

const facts = {sessionId: 's1', title: 'fix-login', reason: 'needs you: May I push?', computer: 'forge'};

function programWith(body: string): {program: string; record: string} {
	const folder = temporaryFolder();
	const program = join(folder, 'tell');
	writeFileSync(program, `#!/bin/sh\ncd '${folder}'\n${body}\n`);
	chmodSync(program, 0o755);
	return {program, record: join(folder, 'record')};
}

const printed = `printf '%s|' "$#" "$1" "$QUARTERDECK_SESSION" "$QUARTERDECK_TITLE" "$QUARTERDECK_REASON" \\
	"$QUARTERDECK_COMPUTER" "$QUARTERDECK_API_KEY" >> record; echo >> record`;

test('gets the facts cleaned and cut, its arguments as they are, and no key; one run at a time', async () => {
	vi.stubEnv('QUARTERDECK_API_KEY', 'k-canary');
	const {program, record} = programWith(printed);
	const {actions, stores} = appParts(fakeClock());
	const run = createNotifyCommand(actions, [program, '$(touch z) "']);
	run({...facts, title: 'fix\u001b[31m\n-login\0', reason: 'x'.repeat(500_000)});
	run(facts);
	const [first = '', second] = await eventually(() => {
		const lines = readFileSync(record, 'utf8').trimEnd().split('\n');
		expect(lines).toHaveLength(2);
		return lines;
	});
	expect(first).toMatch(
		/^1\|\$\(touch z\) "\|s1\|fix[^\u001b\n]*-login[^|]*\|x{900,1000}[^|]{0,5}\|forge\|\|$/,
	);
	expect(second).toBe('1|$(touch z) "|s1|fix-login|needs you: May I push?|forge||');
	expect(stores.notices.getState().list).toEqual([]);
});

test('a failure is shown once, also of a program that is not there or does not end', async () => {
	const failures = [
		{command: [programWith('exit 3').program], said: /ended with 3/},
		{command: [programWith('exec sleep 600').program], said: /ended with SIGKILL/},
		{command: ['/nowhere/tell'], said: /didn't start .*ENOENT/},
	];
	for (const {command, said} of failures) {
		const {actions, stores} = appParts(fakeClock());
		const run = createNotifyCommand(actions, command, 1_000);
		run(facts);
		run(facts);
		await eventually(() =>
			expect(stores.notices.getState().list.map(({text}) => text)).toEqual([expect.stringMatching(said)]),
		);
	}
});
