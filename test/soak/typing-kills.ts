import {randomInt} from 'node:crypto';
import {mkdirSync, mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {setTimeout as delay} from 'node:timers/promises';
import {openTerminal} from '../support/terminal.ts';
import {Failures, lengthOf, type Part} from './part.ts';

const cycles = lengthOf('SOAK_TYPING_KILLS', 1000, 12);
/** Text that is older than this must be on disk, ms. */
const oldest = 300;
/** A kill comes this long after the first key, ms at most. */
const latestKill = 2500;
/** Between two keys, ms at most. */
const slowestKey = 60;
const integrityEvery = 50;

/** D1: the built screen in a pty, killed -9 at random moments while somebody types. Run `npm run build` first. */
export const typingKills: Part = {
	name: 'D1',
	title: 'kill -9 of the screen while one types',
	async run(progress) {
		const home = mkdtempSync(join(tmpdir(), 'soak-typing-'));
		const lost = new Failures();
		const lostShown = new Failures();
		const wrong = new Failures();
		const broken = new Failures();
		let keys = 0;
		let oldestLost = 0;
		try {
			for (let cycle = 1; cycle <= cycles; cycle++) {
				const sessionId = `s${cycle}`;
				const typed = await typeUntilKilled(home, sessionId);
				keys += typed.text.length;
				const stored = storedDraft(home, sessionId, broken);
				const held = typed.text.startsWith(stored) ? stored.length : 0;
				if (!typed.text.startsWith(stored)) wrong.add(`${sessionId}: ${stored} of ${typed.text}`);
				const age = held < typed.text.length ? typed.killedAt - (typed.times[held] ?? typed.killedAt) : 0;
				oldestLost = Math.max(oldestLost, age);
				const shownFor = typed.killedAt - (typed.shown[held] ?? typed.killedAt);
				if (shownFor > oldest)
					lostShown.add(`${sessionId}: shown for ${shownFor.toFixed(0)} ms, key ${held}`);
				if (age > oldest)
					lost.add(`${sessionId}: ${age.toFixed(0)} ms old, key ${held} of ${typed.text.length}`);
				if (cycle % integrityEvery === 0 || cycle === cycles) checkIntegrity(home, broken);
				progress(cycle, cycles, `${keys.toLocaleString('en')} keys, oldest lost ${oldestLost.toFixed(0)} ms`);
			}
		} finally {
			rmSync(home, {recursive: true, force: true});
		}
		return [
			{what: 'kills', value: cycles.toLocaleString('en')},
			{what: 'keys typed', value: keys.toLocaleString('en')},
			{what: 'oldest key that was lost', value: `${oldestLost.toFixed(0)} ms`},
			lost.finding(`kills that lost text older than ${oldest} ms`),
			lostShown.finding(`of these, text that was on the screen for more than ${oldest} ms`),
			wrong.finding('drafts that are not what was typed'),
			broken.finding('damaged database'),
		];
	},
};

type Typed = {
	readonly text: string;
	readonly times: readonly number[];
	readonly shown: readonly number[];
	readonly killedAt: number;
};

async function typeUntilKilled(home: string, sessionId: string): Promise<Typed> {
	const runtime = join(home, 'run');
	mkdirSync(runtime, {recursive: true, mode: 0o700});
	const terminal = openTerminal({
		command: process.execPath,
		args: [resolve(import.meta.dirname, '../../dist/cli.cjs'), '--session', sessionId],
		cwd: home,
		env: {
			PATH: process.env.PATH ?? '',
			HOME: home,
			XDG_RUNTIME_DIR: runtime,
			QUARTERDECK_API_KEY: 'key',
			QUARTERDECK_BASE_URL: 'http://127.0.0.1:9',
		},
		columns: 100,
		rows: 24,
	});
	await terminal.see(/q quit/);
	terminal.press('enter');
	await terminal.see('Enter send');
	const times: number[] = [];
	/** When each key was first seen on the screen. */
	const shown: number[] = [];
	let text = '';
	const end = performance.now() + randomInt(1, latestKill);
	while (performance.now() < end) {
		const key = text.length % 8 === 7 ? ' ' : String.fromCharCode(97 + randomInt(26));
		terminal.type(key);
		times.push(performance.now());
		text += key;
		noteShown(terminal.screen(), text, shown);
		await delay(Math.min(randomInt(slowestKey), Math.max(0, end - performance.now())));
	}
	const killedAt = performance.now();
	process.kill(terminal.pid, 'SIGKILL');
	await terminal.exit();
	return {text, times, shown, killedAt};
}

/** A composer of 100 columns shows so much of a text in its first row. */
const rowLength = 90;

function noteShown(screen: string, text: string, shown: number[]): void {
	const row = /│ > (.*?) *│/.exec(screen)?.[1] ?? '';
	const visible = text.startsWith(row) ? Math.min(row.length, rowLength) : 0;
	while (shown.length < visible) shown.push(performance.now());
}

function fileIn(home: string): string {
	const folder = join(home, '.local/state/quarterdeck');
	const names = readdirSync(folder, {recursive: true, encoding: 'utf8'});
	return join(folder, names.find(name => name.endsWith('quarterdeck.sqlite')) ?? '');
}

function storedDraft(home: string, sessionId: string, broken: Failures): string {
	try {
		const database = new DatabaseSync(fileIn(home));
		try {
			return String(
				database.prepare('SELECT text FROM drafts WHERE session_id = ?').get(sessionId)?.text ?? '',
			);
		} finally {
			database.close();
		}
	} catch (error) {
		broken.add(String(error));
		return '';
	}
}

function checkIntegrity(home: string, broken: Failures): void {
	const database = new DatabaseSync(fileIn(home));
	const word = Object.values(database.prepare('PRAGMA integrity_check').get() ?? {})[0];
	database.close();
	if (word !== 'ok') broken.add(String(word));
}
