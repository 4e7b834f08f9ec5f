import {mkdirSync, realpathSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {runJson} from '../support/agent-says.ts';
import {emptyHome, openProgram} from '../support/program.ts';

const size = {columns: 150, rows: 40};

test('a session is created with all of its settings; they are shown, changed, and stored by the service', async () => {
	const env = emptyHome();
	const folder = join(env.HOME ?? '', 'api');
	mkdirSync(folder);
	const terminal = openProgram(['--local'], env, size);
	const {press, type, see, gone} = terminal;
	await see('● connected');
	await runJson(env, 'computers', 'create', '--name', 'desk', '--remote-user', 'me');
	await see(/desk +active/);
	await see('n starts one');
	press('n');
	await see('What should it do?');
	type('pwd');
	await see('> pwd');
	press('shift+tab', 'shift+tab');
	await see('▌folder');
	type(folder);
	await see('api');
	press('tab', 'tab', 'shift+tab', 'enter');
	await see('Settings of the new session');
	for (const [text, shown] of [
		['model-x', 'model-x'],
		['planner', 'planner'],
		['urgent, later', 'urgent, later'],
		['Read, Edit', 'Read, Edit'],
		['Execute', 'Execute'],
	] as const) {
		type(text);
		await see(shown);
		press('tab');
	}
	press('ctrl+s');
	await see(/settings .*model-x.*#urgent #later/);

	// It works where it was told to.
	press('enter');
	await gone('What should it do?');
	await see(/model-x.*#urgent #later/);
	await see(new RegExp(`agent \\d+:\\d+[^\\n]*\\n[^\\n]*${realpathSync(folder)}`));
	press('esc');
	await see('Enter write');

	// All of it is told, each with where it is from.
	press('i');
	await see(/plan model +planner/);
	await see(/tools allowed +Read, Edit/);
	await see(/tools denied +Execute/);
	press('esc');
	await gone('plan model');

	// A change, and a tool in both lists told before anything is sent.
	press('ctrl+e');
	await see('Edit session');
	press('tab');
	press('ctrl+u');
	type('model-y');
	await see(/Model +model-y/);
	press('tab', 'tab', 'ctrl+u');
	type('calm');
	await see(/Tags +calm/);
	press('tab', 'tab', 'ctrl+u');
	type('Read');
	await see(/✗ .*Read/);
	press('ctrl+u');
	type('Fetch');
	await see(/Tools denied +Fetch/);
	press('ctrl+s');
	await gone('Edit session');
	await see(/model-y.*#calm/);
	press('q');
	await see('Code 0');
	await terminal.exit();

	const [session] = await runJson(env, 'sessions', 'list');
	expect(session?.sessionSettings).toMatchObject({
		model: 'model-y',
		specModeModel: 'planner',
		tags: [{name: 'calm'}],
		enabledToolIds: ['Read', 'Edit'],
		disabledToolIds: ['Fetch'],
	});
}, 90_000);
