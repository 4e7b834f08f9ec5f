import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {lookForHooks} from '../../../src/app/hook-files.ts';
import {
	allSettingsFiles,
	type ClientName,
	type Machine,
	namedSettingsFile,
	settingsFiles,
} from '../../../src/hook-setup/clients.ts';
import {
	acrossFiles,
	checkInstalledHooks,
	fileStatus,
	findTurnedOff,
} from '../../../src/hook-setup/installed.ts';
import {clientNamed, installHooks} from '../../support/hook-install.ts';

function machineOf(files: Readonly<Record<string, string>> = {}): Machine {
	const root = mkdtempSync(join(tmpdir(), 'hook-status-'));
	onTestFinished(() => rmSync(root, {recursive: true, force: true}));
	for (const folder of ['home', 'project']) mkdirSync(join(root, folder));
	for (const [name, text] of Object.entries(files)) {
		mkdirSync(dirname(join(root, name)), {recursive: true});
		writeFileSync(join(root, name), text);
	}
	return {home: join(root, 'home'), cwd: join(root, 'project'), env: {}};
}

const program = {node: process.execPath, hook: import.meta.filename};
const programIn = ({home}: Machine) => ({...program, launcher: join(home, 'quarterdeck-hook')});
const statuses = (name: ClientName, machine: Machine) =>
	allSettingsFiles(clientNamed(name), machine).map(file => fileStatus(file, programIn(machine)));

describe('the status of a file', () => {
	test('shows nothing to do right after an install', () => {
		const machine = machineOf();
		installHooks('claude', machine, program);
		expect(statuses('claude', machine)[0]).toMatchObject({
			scope: 'user',
			exists: true,
			present: clientNamed('claude').events,
			missing: [],
			stale: [],
			duplicate: [],
			narrowed: [],
			gone: [],
			isShadowed: false,
		});
	});

	test("shows entries with another program's paths as stale, and names what is gone", () => {
		const machine = machineOf();
		installHooks('codex', machine, {...program, hook: '/gone/hook.cjs'});
		expect(statuses('codex', machine)[0]).toMatchObject({
			stale: clientNamed('codex').events,
			gone: ['/gone/hook.cjs'],
		});
		const [file] = settingsFiles(clientNamed('codex'), 'user', machine);
		expect(fileStatus(file ?? expect.fail(), undefined)).toMatchObject({stale: [], gone: ['/gone/hook.cjs']});
	});

	test.each([
		['claude', '.claude/settings.json', true],
		['codex', '.codex/hooks.json', true],
		['gemini', '.gemini/settings.json', false],
	] as const)('tells whether %s reads a file with comments', (name, file, isSkipped) => {
		const machine = machineOf({[`home/${file}`]: '{\n\t// mine\n}\n'});
		expect(statuses(name, machine)[0]).toMatchObject({isSkipped});
		installHooks(name, machine, program);
		expect(statuses(name, machine)[0]).toMatchObject({isSkipped, present: clientNamed(name).events});
		const {installed, problems} = checkInstalledHooks(machine);
		expect([installed, problems.length]).toEqual([[clientNamed(name).title], isSkipped ? 1 : 0]);
	});

	test('tells why installed hooks report nothing, for the screen', () => {
		const machine = machineOf({'home/.claude/settings.json': '{}', 'home/.qwen/settings.json': '{'});
		expect(lookForHooks(machine)).toEqual({isMissing: false});
		installHooks('claude', machine, program);
		expect(lookForHooks(machine)).toEqual({isMissing: false});
		installHooks('claude', machine, {...program, node: '/old/node'});
		expect(lookForHooks(machine).problem).toEqual({
			what: "The hooks of Claude Code report nothing: /old/node is gone or can't be run",
			isInSettings: false,
		});
	});

	test('shows what is missing, duplicate, narrowed or changed by hand', () => {
		const machine = machineOf();
		installHooks('qwen', machine, program);
		const file = join(machine.home, '.qwen', 'settings.json');
		const settings = fileStatus(
			settingsFiles(clientNamed('qwen'), 'user', machine)[0] ?? expect.fail(),
			programIn(machine),
		);
		const [command] = settings.commands;
		const group = (timeout: number, matcher?: string) => ({
			matcher,
			hooks: [{type: 'command', command, timeout}],
		});
		const hooks = {
			Stop: [group(5000), group(5000)],
			Notification: [group(5000, 'idle')],
			SessionEnd: [group(5)],
		};
		writeFileSync(file, JSON.stringify({hooks}));
		expect(statuses('qwen', machine)[0]).toMatchObject({
			missing: ['SubagentStop', 'SessionStart', 'UserPromptSubmit'],
			stale: ['SessionEnd'],
			duplicate: ['Stop'],
			narrowed: ['Notification'],
		});
	});

	test("says where it can't be read, and that it doesn't exist", () => {
		const machine = machineOf({'home/.gemini/settings.json': '{\n  "a" 1}'});
		expect(statuses('gemini', machine)).toMatchObject([
			{exists: true, problem: 'line 2, column 7: unexpected "1"'},
			{exists: false},
		]);
	});

	test("says that droid's settings.json is shadowed", () => {
		const machine = machineOf();
		installHooks('droid', machine, program);
		expect(statuses('droid', machine)[1]).toMatchObject({isShadowed: false, present: expect.any(Array)});
		writeFileSync(join(machine.home, '.factory', 'hooks.json'), '{}');
		expect(statuses('droid', machine).slice(0, 2)).toMatchObject([
			{isShadowed: false, present: []},
			{isShadowed: true, present: clientNamed('droid').events},
		]);
	});
});

describe('handlers in several files', () => {
	test.each([
		['gemini', clientNamed('gemini').events],
		['claude', []],
	] as const)('of %s that all run: %j', (name, events) => {
		const machine = machineOf();
		installHooks(name, machine, program);
		installHooks(name, machine, program, 'project');
		expect(acrossFiles(clientNamed(name), statuses(name, machine))).toEqual(events);
	});

	test('of claude run more than once when they differ', () => {
		const machine = machineOf();
		installHooks('claude', machine, program);
		installHooks('claude', machine, {...program, launcher: join(machine.cwd, 'quarterdeck-hook')}, 'project');
		expect(acrossFiles(clientNamed('claude'), statuses('claude', machine))).toEqual(
			clientNamed('claude').events,
		);
	});
});

describe('off switches', () => {
	test.each([
		['claude', 'home/.claude/settings.json', '{"disableAllHooks": true}', 'disableAllHooks'],
		['claude', 'project/.claude/settings.local.json', '{"disableAllHooks": true}', 'disableAllHooks'],
		['droid', 'home/.factory/settings.json', '{"hooksDisabled": true}', 'hooksDisabled'],
		['qwen', 'project/.qwen/settings.json', '{ // off\n"disableAllHooks": true}', 'disableAllHooks'],
		['gemini', 'home/.gemini/settings.json', '{"hooksConfig": {"enabled": false}}', 'hooksConfig.enabled'],
		['gemini', 'home/.gemini/settings.json', '{"tools": {"enableHooks": false}}', 'tools.enableHooks'],
		['codex', 'home/.codex/config.toml', 'a = 1\n[features]\nhooks = false # off\n', 'features.hooks'],
		['codex', 'project/.codex/config.toml', 'features.codex_hooks = false\r\n', 'features.codex_hooks'],
	] as const)('of %s in %s are found', (name, file, text, found) => {
		const machine = machineOf({[file]: text});
		expect(findTurnedOff(clientNamed(name), machine)).toEqual([
			{file: join(dirname(machine.home), file), name: found},
		]);
	});

	test.each([
		['claude', 'home/.claude/settings.json', '{"disableAllHooks": false, "allowManagedHooksOnly": true}'],
		['claude', 'home/.claude/settings.json', '{"disableAllHooks": true'],
		['gemini', 'home/.gemini/settings.json', '{"hooksConfig": {"enabled": true}, "hooks": {}}'],
		['codex', 'home/.codex/config.toml', '[features]\nhooks = true\n[other]\nhooks = false\n'],
	] as const)('of %s in %s are not found where none are off: %s', (name, file, text) => {
		expect(findTurnedOff(clientNamed(name), machineOf({[file]: text}))).toEqual([]);
	});
});

describe('files', () => {
	test("a file named by its path belongs to its folder's client, or to the one named with it", () => {
		expect(namedSettingsFile('/x/.factory/hooks.json')).toMatchObject({
			client: {name: 'droid'},
			isBare: true,
		});
		expect(namedSettingsFile('/x/.qwen/settings.json')).toMatchObject({
			client: {name: 'qwen'},
			isBare: false,
		});
		expect(namedSettingsFile('/x/settings.json')).toBeUndefined();
		expect(namedSettingsFile('/x/s.json', clientNamed('codex'))).toMatchObject({client: {name: 'codex'}});
	});

	test('a project in the home folder has each file once', () => {
		const machine = machineOf();
		const paths = allSettingsFiles(clientNamed('claude'), {...machine, cwd: machine.home}).map(
			({path}) => path,
		);
		expect(paths).toEqual(
			['settings.json', 'settings.local.json'].map(name => join(machine.home, '.claude', name)),
		);
	});

	test('a relative CLAUDE_CONFIG_DIR counts as unset', () => {
		const machine = {...machineOf(), env: {CLAUDE_CONFIG_DIR: 'relative'}};
		expect(settingsFiles(clientNamed('claude'), 'user', machine)[0]?.path).toBe(
			join(machine.home, '.claude', 'settings.json'),
		);
	});
});
