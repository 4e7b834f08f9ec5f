import {chmodSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {expect, test} from 'vitest';
import {eventually} from '../support/eventually.ts';
import {childOf, emptyHome, openProgram} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {tinyPng} from '../support/tiny-files.ts';

const size = {columns: 120, rows: 40};

/** The program on an empty home, with a session open and its composer ready. */
async function writing(env: NodeJS.ProcessEnv): Promise<Terminal> {
	const terminal = openProgram(['--local'], env, size);
	await terminal.see(/✓ active/);
	terminal.press('n');
	await terminal.see('A command for the shell');
	terminal.type('true');
	await terminal.see('> true');
	terminal.press('enter');
	await terminal.see('> A command for the shell');
	return terminal;
}

async function quit(terminal: Terminal): Promise<void> {
	terminal.press('esc');
	await terminal.see(/q quit/);
	terminal.press('q');
	await terminal.see('Code 0');
	await terminal.exit();
}

test('an editor gets the terminal and the text, but not the API key; a kill in mid-word loses nothing', async () => {
	const env = emptyHome();
	const home = env.HOME as string;
	const editor = join(home, 'edit.sh');
	writeFileSync(
		editor,
		`#!/bin/sh
env > '${home}/environment'
stty -a < /dev/tty > '${home}/stty'
printf 'Editing. Which word? ' > /dev/tty
read word < /dev/tty
printf '%s\\n' "$(cat "$2") $word" > "$2"
`,
	);
	chmodSync(editor, 0o755);
	const withKey = {...env, EDITOR: `${editor} --wait`, QUARTERDECK_API_KEY: 'k-canary-0123456789'};
	const terminal = await writing(withKey);
	terminal.paste('first\nsecond 界');
	await terminal.see('second 界');
	terminal.press('ctrl+g');
	await terminal.see('Editing. Which word?');
	terminal.type('third\r');
	await terminal.see(/second 界 third/);
	await terminal.see('Enter send');
	expect(terminal.modes()).toMatchObject({alternateScreen: true, bracketedPaste: true});
	expect(readFileSync(join(home, 'stty'), 'utf8')).toMatch(/[^-]icanon/);
	expect(readFileSync(join(home, 'environment'), 'utf8')).not.toMatch(/canary|QUARTERDECK/);
	// The keys are ours again, and the change is one step back.
	terminal.type('!');
	await terminal.see('third!');
	terminal.press('ctrl+_', 'ctrl+_');
	await terminal.gone('third');
	terminal.press('ctrl+u', 'backspace', 'ctrl+u');
	await terminal.see('A command for the shell');

	// Text, a fold and an attachment, and the end in mid-word.
	writeFileSync(join(home, 'shot.png'), tinyPng);
	terminal.type('look at @shot');
	await terminal.see('Files');
	terminal.press('enter');
	await terminal.see(/▣ shot\.png png 70 B/);
	terminal.paste(Array.from({length: 60}, (_, index) => `row ${index}`).join('\n'));
	await terminal.see('[pasted 60 lines]');
	terminal.type(' and te');
	await terminal.see('] and te');
	await saved(env, 'and te');
	process.kill(childOf(terminal.pid), 'SIGKILL');
	await terminal.see('Code 137');

	const again = openProgram(['--local'], withKey, size);
	await again.see(/Sessions ─+ 1/);
	again.press('g', 'space');
	await again.see(/▣ shot\.png png 70 B/);
	await again.see(/look at shot\.png +\[pasted 60 lines\] and te/);
	again.type('n');
	await again.see('and ten');
	await quit(again);
}, 60_000);

/** The draft is on disk, as whoever opens the database can see. */
async function saved({HOME}: NodeJS.ProcessEnv, words: string): Promise<void> {
	const file = join(HOME as string, '.local', 'state', 'quarterdeck', 'accounts/local/quarterdeck.sqlite');
	const isSaved = () => {
		const database = new DatabaseSync(file, {readOnly: true});
		try {
			return database.prepare("SELECT 1 FROM drafts WHERE text LIKE '%' || ?").get(words) !== undefined;
		} finally {
			database.close();
		}
	};
	await eventually(() => expect(isSaved()).toBe(true));
}
