import {mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {childOf, environmentIn, openProgram} from '../program.ts';
import type {Terminal} from '../terminal.ts';
import {checkShown} from './leaks.ts';
import {newMessage, type Place, run, type World} from './world.ts';

/** The program's screen in a terminal, open while the story goes on. */
export type StoryScreen = {readonly terminal: Terminal; readonly place: Place};

/** How long a key may take until it counts as ignored, ms: a dialog or a refused key can be in its way. */
const patience = 3000;

/** What every screen has, whatever is open. */
const footer = /\? keys|Esc|q quit/;

/** Opens the screen with a place's key, which it reads from a file, and writes a message there. */
export async function openScreen(world: World, place: Place, isShared: boolean): Promise<void> {
	const {cli} = world;
	const message = newMessage(world, place, isShared);
	writeKey(world, place);
	// Whose the key is has been said before: a profile would keep the account of the key before.
	await run(world, place, 'computers', 'list');
	const terminal = openProgram(['--session', message.session], environmentIn(cli.home), {
		columns: 120,
		rows: 34,
	});
	world.screen = {terminal, place};
	await terminal.see(`default · ${new URL(place.service.url).host}`);
	await terminal.see(footer);
	terminal.press('enter');
	if (!(await sees(terminal, 'Enter send'))) return;
	terminal.type(message.text);
	if (!(await sees(terminal, message.text))) return;
	terminal.press('enter');
	terminal.press('esc');
	await sees(terminal, 'q quit');
	place.claims.push(message);
}

/** The profile's key, where an open screen reads it again once it is refused. */
export function writeKey({cli}: World, {service, keys}: Place): void {
	const folder = join(cli.home, '.config/quarterdeck');
	mkdirSync(folder, {recursive: true});
	const keyFile = join(folder, 'key');
	writeFileSync(keyFile, keys.at(-1) ?? '', {mode: 0o600});
	const profiles = {default: {baseUrl: service.url, keyFile}};
	writeFileSync(join(folder, 'config.json'), JSON.stringify({profiles}));
}

/** Lists, sessions, computers, usage, readiness, controls, users, events, and the search. */
const views = ['1', '2', '3', '4', '5', '6', '7', '8', 'F'] as const;

/** Goes to a view of the open screen, or exports what the usage view shows. */
export async function lookAround(world: World, pick: number): Promise<void> {
	const {screen, cli} = world;
	if (!screen) return;
	const {terminal, place} = screen;
	const key = views[pick % views.length] ?? '1';
	if (key === 'F') {
		terminal.press('1', 'F');
		if (await sees(terminal, /Search/)) terminal.type('begins');
		await sees(terminal, place.word);
		terminal.press('esc', 'esc');
		return;
	}
	terminal.press(key);
	// What the service refuses isn't there.
	await sees(terminal, place.word);
	if (key !== '4') return;
	terminal.press('x');
	await sees(terminal, 'Export this page');
	terminal.press('enter', 'enter', 'enter', 'enter', 'enter');
	await sees(terminal, /Wrote \d+ rows/);
	terminal.press('esc');
	for (const name of readdirSync(cli.home).filter(one => one.endsWith('.csv'))) {
		checkShown(world, place, name, readFileSync(join(cli.home, name), 'utf8'));
		rmSync(join(cli.home, name));
	}
}

/** Ends the screen: by its key, or as a crash would. */
export async function endScreen(world: World, isKilled: boolean): Promise<void> {
	const {screen} = world;
	if (!screen) return;
	const {terminal} = screen;
	if (!isKilled) {
		terminal.press('esc', 'q');
		if (await sees(terminal, 'Code 0')) await terminal.exit();
	}
	if (!terminal.hasEnded()) {
		process.kill(childOf(terminal.pid), 'SIGKILL');
		await terminal.exit();
	}
	checkScreen(world);
	checkShown(world, screen.place, 'all that the screen wrote', terminal.output());
	delete world.screen;
}

/** What stands on the screen now. It may be any moment between two frames' worth of changes. */
export function checkScreen(world: World): void {
	const {screen} = world;
	if (!screen) return;
	checkShown(world, screen.place, 'the screen', screen.terminal.screen());
}

async function sees(terminal: Terminal, what: string | RegExp): Promise<boolean> {
	return terminal.see(what, {within: patience}).then(
		() => true,
		() => false,
	);
}
