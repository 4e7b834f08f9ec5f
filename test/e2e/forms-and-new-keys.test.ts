import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {screenEnv, setUpPlaces, shared, writeProfiles} from '../support/places.ts';
import {openProgram} from '../support/program.ts';

const size = {columns: 120, rows: 34};

/** A screen over a session of `a1`. Until `answer`, nothing says whose this key is. */
async function screenOf(key: string) {
	const {home, a1, a2, atA} = await setUpPlaces();
	writeProfiles(home, {default: a1, other: a2});
	expect((await a1.run('computers', 'get', 'computer-a1')).code).toBe(0);
	expect((await a1.run('sessions', 'add', 'session-a1')).code).toBe(0);
	const terminal = openProgram(['--profile', 'default', '--session', shared], screenEnv(home), size);
	await terminal.see('common secret of a1');
	await terminal.see('box-a1');
	await terminal.see('● connected');
	// To the lists.
	terminal.press('esc');
	await terminal.see('Space reply');
	const answer = Promise.withResolvers<void>();
	Object.assign(atA, {held: answer.promise, heldKey: key});
	const isAsked = () => expect.poll(() => atA.requests.some(request => request.key === key)).toBe(true);
	/** The key is refused, and this one is in its file instead. */
	const replaceKey = async () => {
		writeFileSync(join(home, '.config/quarterdeck/key-of-default'), key);
		a1.organization.keys.clear();
		if (key === 'renewed') a1.organization.keys.add(key);
		terminal.press('r');
		await isAsked();
		await terminal.see('key refused');
	};
	return {terminal, answer: answer.resolve, isAsked, replaceKey};
}

test('a form opened while a new key is checked stays, with its text', async () => {
	const {terminal, answer, replaceKey} = await screenOf('renewed');
	await replaceKey();
	terminal.press('a');
	await terminal.see('Add by id');
	terminal.type('half-an');
	await terminal.see('half-an');
	answer();
	await terminal.see('● connected');
	terminal.type('-id');
	await terminal.see('half-an-id');
	terminal.press('esc');
	await terminal.gone('Add by id');
	terminal.press('q');
	await terminal.exit();
});

test('a quick reply being typed while a new key is checked goes on in its session', async () => {
	const {terminal, answer, replaceKey} = await screenOf('renewed');
	await replaceKey();
	// Not the session that is open.
	terminal.press('j');
	await terminal.see(/─ (session-a1|secret of a1) /);
	terminal.press('space');
	await terminal.see('Enter send');
	terminal.type('half a');
	await terminal.see('> half a');
	answer();
	for (const letter of ' thought') {
		terminal.type(letter);
		await terminal.see(new RegExp(`half a.*${letter}`));
	}
	await terminal.see('> half a thought');
	terminal.press('esc');
	await terminal.see('● connected');
	terminal.kill();
	await terminal.exit();
});

test("a form for another account than the new key's is closed, and a notice says so", async () => {
	const {terminal, answer, replaceKey} = await screenOf('key-a2');
	await replaceKey();
	terminal.press('a');
	await terminal.see('Add by id');
	answer();
	await terminal.see('The form was closed: it was for another account');
	expect(terminal.screen()).not.toContain('Add by id');
	terminal.kill();
	await terminal.exit();
});

test('no form opens while another profile is being opened, and a notice says so', async () => {
	const {terminal, answer, isAsked} = await screenOf('key-a2');
	terminal.press('P');
	await terminal.see(/● default .* open\b/);
	terminal.press('j', 'enter');
	await isAsked();
	terminal.press('S');
	await terminal.see('Still opening other: a form can be opened after that');
	terminal.press('n', '?');
	await terminal.see('Keys');
	expect(terminal.screen()).not.toContain('What should it do');
	terminal.press('esc');
	answer();
	await terminal.see(/quarterdeck +other/);
	terminal.kill();
	await terminal.exit();
});

test('the text of a canceled form stays with its account', async () => {
	const {home, a1, b} = await setUpPlaces();
	writeProfiles(home, {default: a1, other: b});
	const terminal = openProgram(['--profile', 'default'], screenEnv(home), size);
	await terminal.see('● connected');
	const open = async () => {
		terminal.press('N');
		await terminal.see('New computer');
		await terminal.see(/Name +\S/);
	};
	const cancel = async () => {
		terminal.press('esc');
		await terminal.gone('New computer');
	};
	const switchTo = async (name: string, key: string) => {
		terminal.press('P');
		await terminal.see('Profiles');
		await terminal.see(/● (default|other) .* open\b/);
		terminal.press(key, 'enter');
		await terminal.see(new RegExp(`quarterdeck +${name}`));
	};
	await open();
	terminal.type('secret-box');
	await terminal.see('secret-box');
	await cancel();
	await switchTo('other', 'j');
	await open();
	expect(terminal.screen()).not.toContain('secret-box');
	await cancel();
	await switchTo('default', 'k');
	await open();
	await terminal.see('secret-box');
	await cancel();
	terminal.press('q');
	await terminal.see('Code 0');
	await terminal.exit();
});

test('a form opened on the first screen while a key is checked stays', async () => {
	const {home, a1, a2, atA} = await setUpPlaces();
	expect((await a1.run('computers', 'get', 'computer-a1')).code).toBe(0);
	const answer = Promise.withResolvers<void>();
	atA.held = answer.promise;
	a1.organization.keys.add('renewed');
	const env = {...screenEnv(home), ...a2.env, QUARTERDECK_API_KEY: 'renewed'};
	const terminal = openProgram([], env, size);
	await terminal.see('Checking which account this key belongs to');
	terminal.press('c');
	await terminal.see('Connect');
	terminal.type('service.half');
	await terminal.see('service.half');
	answer.resolve();
	await terminal.see('● connected');
	terminal.type('.way');
	await terminal.see('service.half.way');
	terminal.press('esc');
	await terminal.gone('service.half.way');
	terminal.press('q');
	await terminal.exit();
});
