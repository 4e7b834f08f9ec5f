import {existsSync, mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, onTestFinished, test} from 'vitest';
import {runTrial} from '../../../src/hook-setup/trial.ts';
import {buildHook} from '../../support/built-hook.ts';
import {installedCommand} from '../../support/hook-install.ts';

let hook: Awaited<ReturnType<typeof buildHook>>;
beforeAll(async () => {
	hook = await buildHook();
});
afterAll(() => hook.remove());

function newHome(): string {
	const path = mkdtempSync('/tmp/trial-');
	onTestFinished(() => rmSync(path, {recursive: true, force: true}));
	return path;
}

test('a trial of the installed hook passes, and leaves no test event behind', async () => {
	const home = newHome();
	const command = installedCommand(home, {node: process.execPath, hook: hook.file});
	const {ms, outcome, problems} = await runTrial({command, event: 'Stop', home});
	expect({outcome: outcome === 'lost', problems}).toEqual({outcome: false, problems: []});
	expect(ms).toBeGreaterThan(0);
	const spool = join(home, '.local/state/quarterdeck/spool');
	// A program that runs on this machine takes the event at once: then nothing is ever spooled.
	expect(existsSync(spool) ? readdirSync(spool) : []).toEqual([]);
});

test('a trial finds a command that is not silent, blocks the agent and loses the event', async () => {
	const command = 'echo a word; cat >/dev/null; exit 2';
	const {problems} = await runTrial({command, event: 'Stop', home: newHome()});
	expect(problems).toEqual(
		expect.arrayContaining([
			'it exited with 2, not 0',
			expect.stringContaining('it printed: a word'),
			'the event was lost',
		]),
	);
});
