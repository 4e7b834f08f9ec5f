import {join} from 'node:path';
import {render, useApp as useInkApp} from 'ink';
import {useEffect} from 'react';
import {createMask} from './api/mask.ts';
import type {Config} from './config/config.ts';
import type {SettingsInput} from './config/settings.ts';
import {createDesk, type Desk} from './desk.ts';
import {holdMemory} from './hold-memory.ts';
import type {Asked} from './opening.ts';
import {createProfiles} from './profiles.ts';
import {createDisplayStore, wanted} from './state/display.ts';
import {notify} from './state/notices.ts';
import {takeMouse} from './take-mouse.ts';
import {Terminal} from './term/terminal.ts';
import {App} from './ui/app.tsx';
import {followBackground} from './ui/theme/follow-background.ts';
import type {KeptLocal} from './wiring.ts';

export type ScreenOptions = Asked & {
	/** What the configuration was read from: other profiles are read from it too. */
	readonly input: SettingsInput;
	/** Called when the first frame has been drawn. */
	readonly started?: () => void;
};

/**
 * Opens the screen: drawn from what is kept on disk first, then brought up to date. The terminal's lifecycle ends the
 * process, so the promise stays open.
 */
export async function runMain(config: Config, {input, started, ...asked}: ScreenOptions): Promise<number> {
	const keys = new Set(config.service ? [config.service.key] : []);
	const locals: KeptLocal[] = [];
	/** The desk that was left is closing behind the one that is open. */
	let closing = Promise.resolve();
	let desk: Desk | undefined;
	const terminal = new Terminal({
		stdin: process.stdin,
		stdout: process.stdout,
		env: process.env,
		async save() {
			await Promise.all([desk?.close(), closing]);
			await Promise.all(locals.map(local => local.close()));
		},
		crash: {
			folder: join(config.stateFolder, 'crashes'),
			redact: text => [...keys].reduce((masked, key) => createMask(key)(masked), text),
			version: __VERSION__,
		},
	});
	const display = createDisplayStore(config.display, terminal.capabilities);
	followBackground(terminal, display);

	async function open(next: Config): Promise<void> {
		if (next.service) keys.add(next.service.key);
		const before = desk;
		before?.leave();
		const opened = await createDesk(next, {}, shared);
		desk = opened;
		display.setState(wanted(next.display, terminal.capabilities));
		app.rerender(screen(opened));
		// Two engines of one process would listen for hooks at the same place.
		closing = closing.then(() => before?.close());
		await closing;
		if (desk === opened) opened.start();
	}

	const profiles = createProfiles({
		input,
		config,
		open,
		handOver: run => terminal.handOver(run),
		crash: error => terminal.crash(error),
		tell(tone, text) {
			if (desk) notify(desk.parts.stores.notices, {tone, text, at: Date.now()});
		},
	});
	const mouse = takeMouse(terminal);
	const shared = {
		terminal,
		display,
		mouse,
		profiles,
		keepLocal: (local: KeptLocal) => locals.push(local),
		agentsAtWork: () => locals.reduce((sum, local) => sum + local.agentsAtWork(), 0),
	};
	/** Another desk is another screen: nothing of the one before stays. */
	const screen = (shown: Desk) => (
		<>
			<Suspension terminal={terminal} />
			<App key={shown.id} parts={shown.parts} />
		</>
	);
	terminal.holdEcho();
	try {
		desk = await createDesk(config, asked, shared);
	} catch (error) {
		terminal.letGo();
		throw error;
	}
	// What the terminal has answered meanwhile is read, and the first frame has its colours; it isn't waited for.
	await new Promise(setImmediate);
	const app = render(screen(desk), {
		stdin: terminal.stdin,
		stdout: terminal.stdout,
		alternateScreen: true,
		incrementalRendering: true,
		interactive: true,
		maxFps: 120,
		exitOnCtrlC: false,
		patchConsole: false,
		kittyKeyboard: {mode: 'auto'},
		// Ink would write the whole screen anew at each change, and all of it would be read again.
		isScreenReaderEnabled: false,
	});
	terminal.follow(app);
	mouse.turn(config.mouse);
	desk.start();
	setImmediate(() => {
		started?.();
		holdMemory();
	});
	return new Promise<number>(() => undefined);
}

/** Ctrl+Z gives the terminal back through Ink, which must redraw afterwards. */
function Suspension({terminal}: {readonly terminal: Terminal}) {
	const {suspendTerminal} = useInkApp();
	useEffect(() => terminal.attachSuspension(suspendTerminal), [terminal, suspendTerminal]);
	return undefined;
}
