import {existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest';
import {runTrial, type TrialResult} from '../../../src/hook-setup/trial.ts';
import {buildHook} from '../../support/built-hook.ts';
import {installedCommand} from '../../support/hook-install.ts';

let hook: Awaited<ReturnType<typeof buildHook>>;
beforeAll(async () => {
	hook = await buildHook();
});
afterAll(() => hook.remove());

function home(): string {
	const path = mkdtempSync('/tmp/trial-');
	onTestFinished(() => rmSync(path, {recursive: true, force: true}));
	return path;
}

async function trial(command: string, events: readonly string[], folder = home()): Promise<TrialResult[]> {
	const results: TrialResult[] = [];
	for await (const result of runTrial({command, events, home: folder})) results.push(result);
	return results;
}

const problems = (results: readonly TrialResult[]) =>
	results.flatMap(({event, fault, problems: found}) =>
		found.map(problem => `${event}, ${fault}: ${problem}`),
	);

describe('a trial', () => {
	test('of the installed hook passes with every fault, and leaves no test event behind', async () => {
		const folder = home();
		const command = installedCommand(folder, {node: process.execPath, hook: hook.file});
		const results = await trial(command, ['Stop'], folder);
		expect(problems(results)).toEqual([]);
		expect(results).toHaveLength(10);
		expect(new Set(results.map(({fault}) => fault)).size).toBe(10);
		for (const {ms} of results) expect(ms).toBeGreaterThan(0);
		const spool = join(folder, '.local/state/quarterdeck/spool');
		// A program that runs on this machine takes the event at once: then nothing is ever spooled.
		expect(existsSync(spool) ? readdirSync(spool) : []).toEqual([]);
	});

	test('finds a command that is not silent, blocks the agent and loses the event', async () => {
		const found = problems(await trial('echo a word; cat >/dev/null; exit 2', ['Stop'])).join('\n');
		for (const problem of ['it printed: a word', 'it exited with 2, not 0', 'the event was lost'])
			expect(found).toContain(problem);
	});

	test('finds a hook that forwards the prompt', async () => {
		const folder = home();
		const leaky = join(folder, 'leaky.cjs');
		mkdirSync(folder, {recursive: true});
		writeFileSync(
			leaky,
			`const fs = require('node:fs');
			const data = JSON.parse(fs.readFileSync(0, 'utf8') || '{}');
			const line = JSON.stringify({v: 1, id: 'leaky-leaky', ts: Date.now(), client: '', event: data.hook_event_name, pid: 1, agentPid: 1, data: {...data, message: data.prompt}});
			const spool = (process.env.XDG_STATE_HOME || process.env.HOME + '/.local/state') + '/quarterdeck/spool';
			fs.mkdirSync(spool, {recursive: true, mode: 0o700});
			fs.writeFileSync(spool + '/' + String(Date.now()).padStart(15, '0') + '-leaky-leaky-' + line.length + '.json', line);`,
		);
		const command = installedCommand(folder, {node: process.execPath, hook: leaky});
		expect(problems(await trial(command, ['Stop'], folder))).toContain(
			'Stop, no program: it forwards the prompt',
		);
	});
});
