import {join} from 'node:path';
import {render, useApp as useInkApp} from 'ink';
import {useEffect} from 'react';
import {NewKeyError} from '../accounts.ts';
import {createMask} from '../api/http/mask.ts';
import type {Config} from '../config/config.ts';
import type {SettingsInput} from '../config/settings.ts';
import {log} from '../log/log.ts';
import {addNotice, type Notice} from '../state/notices.ts';
import {createDisplayStore, resolveDisplay} from '../state/view/display.ts';
import {Terminal} from '../term/terminal.ts';
import {watchMemory} from '../term/watch-memory.ts';
import {setCodeColors} from '../text/markdown/code-lines.ts';
import {RowCache} from '../text/messages/message-rows.ts';
import {App} from '../ui/app.tsx';
import type {MouseInput} from '../ui/mouse/gesture.ts';
import {followBackground} from '../ui/theme/follow-background.ts';
import type {UserFolders} from '../ui/use-app.ts';
import {AppInstance} from './app.ts';
import type {AppShared} from './create-parts.ts';
import type {StartRequest} from './initial-view.ts';
import {ProgramProfiles} from './profiles.ts';

/** V8's flags that keep memory small. */
const memoryFlags = [
	// Collects garbage after 2 MB of growth instead of 8.
	'optimize-for-size',
	// Without it, the space for new objects doubles to 30 MB while scrolling.
	'semi-space-growth-factor=1',
	// Without it, a heap of 150 MB is collected so often that sorting 20,000 users takes half as long again.
	'heap-growing-percent=30',
	// Optimizing the Wasm HTTP parser takes 12 MB, which its thread never releases, and makes no response
	// faster.
	'no-wasm-tier-up',
	'no-wasm-dynamic-tiering',
];

/**
 * Flags for the exit, which joins the compiler's threads: one that asked the main thread for a garbage collection would
 * never end (as in nodejs/node issue 54918). With them, no further compilation starts, and those under way get memory
 * instead.
 */
const exitFlags = ['no-turbofan', 'no-maglev', 'no-sparkplug', 'no-optimize-for-size'];

/** A frame that takes this long to render is logged, ms: the eye notices it while typing. */
const slowFrame = 50;

/**
 * Sets flags of V8. Cached code must match the flags it was compiled with, so call this after the cache is saved.
 * Without the memory flags the screen takes 2.1-2.5 times an empty process's memory after a start instead of 2.0
 * (budget 2.3), and 3.6-4.8 instead of 2.9-3.2 after searching 100,000 messages (budget 3.2).
 */
function setFlags(flags: readonly string[]): void {
	const {setFlagsFromString} = process.getBuiltinModule('node:v8');
	for (const flag of flags) setFlagsFromString(`--${flag}`);
}

type ScreenOptions = StartRequest & {
	/** The input the configuration was read from; other profiles are read from it too. */
	readonly input: SettingsInput;
	readonly userFolders: UserFolders;
	/** Called once the last app has closed. */
	readonly closed?: (() => Promise<void>) | undefined;
	/** Called after the first frame. */
	readonly started?: () => void;
};

/**
 * Opens the screen, in this order: the terminal, the app over its saved state (`AppInstance.open`), the first frame,
 * then the engine (`start`), and last what limits memory. The terminal's lifecycle ends the process, so the promise
 * never resolves.
 */
export async function runMain(
	config: Config,
	{input, userFolders, started, closed, ...request}: ScreenOptions,
): Promise<number> {
	const keys = new Set(config.service ? [config.service.key] : []);
	/** Resolves when the previous app has closed, in the background. */
	let closing = Promise.resolve();
	let app: AppInstance | undefined;
	/** Whether the compiled code is saved, so that V8's flags may change. */
	let isCodeCached = false;
	const terminal = new Terminal({
		stdin: process.stdin,
		stdout: process.stdout,
		env: process.env,
		async save() {
			if (isCodeCached) setFlags(exitFlags);
			await Promise.all([app?.close(), closing]);
			await closed?.();
		},
		closingNote: () => app?.closingNote() ?? '',
		stopping: () => app?.leave(),
		crash: {
			folder: join(config.stateFolder, 'crashes'),
			redact: text => [...keys].reduce((masked, key) => createMask(key)(masked), text),
			version: __VERSION__,
		},
	});
	// Node prints warnings, which would land in the middle of the screen.
	process
		.removeAllListeners('warning')
		.on('warning', ({name, message}) => log('warn', 'Node warned', {name, message}));
	const display = createDisplayStore(config.display, terminal.capabilities);
	followBackground(terminal, display);

	async function open(next: Config): Promise<void> {
		if (next.service) keys.add(next.service.key);
		const before = app;
		before?.leave();
		// With a new key, the screen stays as it is. The user may go on until the account is known, and then keeps what
		// they are typing.
		const onScreen = async () => {
			if (next.profile !== before?.parts.profile.name) return {};
			await before.untilReplaceable();
			return before.onScreen();
		};
		await show(await openApp(next, onScreen, shared));
		display.setState(resolveDisplay(next.display, terminal.capabilities));
	}

	async function show(opened: AppInstance): Promise<void> {
		const before = app;
		before?.leave();
		app = opened;
		inkApp.rerender(screen(opened));
		// Two engines in one process would listen for hooks on the same socket, so the old one closes first.
		closing = closing.then(() => before?.close());
		await closing;
		if (app === opened) opened.start();
	}

	function notify(tone: Notice['tone'], text: string): void {
		if (app) addNotice(app.parts.stores.notices, {tone, text, at: Date.now()});
	}

	const profiles = new ProgramProfiles({
		input,
		config,
		open,
		handOver: run => terminal.handOver(run),
		crash: error => terminal.crash(error),
		notify,
	});
	const mouse = captureMouse(terminal);
	const shared = {
		terminal,
		display,
		mouse,
		profiles,
		keptForms: new Map(),
		userFolders,
		quit: () => terminal.leave(0),
	};
	/** A new key mounts a new screen, which keeps no state of the previous app. */
	const screen = (shown: AppInstance) => (
		<>
			<Suspension terminal={terminal} />
			<App key={shown.id} parts={shown.parts} />
		</>
	);
	try {
		app = await openApp(config, () => request, shared);
	} catch (error) {
		terminal.restoreEcho();
		throw error;
	}
	// Reads the terminal's replies that have already arrived, so that the first frame has its colors; doesn't
	// wait for others.
	await new Promise(setImmediate);
	setCodeColors(false);
	const inkApp = render(screen(app), {
		stdin: terminal.stdin,
		stdout: terminal.stdout,
		alternateScreen: true,
		incrementalRendering: true,
		interactive: true,
		maxFps: 120,
		exitOnCtrlC: false,
		patchConsole: false,
		kittyKeyboard: {mode: 'auto', flags: ['disambiguateEscapeCodes', 'reportAlternateKeys']},
		onRender({renderTime}) {
			if (renderTime >= slowFrame) log('warn', 'slow frame', {ms: Math.round(renderTime)});
		},
		// With it Ink would rewrite the whole screen on each change, and a screen reader would read all of it
		// again.
		isScreenReaderEnabled: false,
	});
	terminal.follow(inkApp);
	mouse.turn(config.mouse);
	app.start();
	setImmediate(() => {
		setCodeColors(true);
		if (app) {
			app.parts.caches.rows = new RowCache();
			inkApp.rerender(screen(app));
		}
		started?.();
		isCodeCached = true;
		setFlags(memoryFlags);
		watchMemory(error => terminal.crash(error));
	});
	return new Promise<number>(() => undefined);
}

/** Opens an app or, if only the user knows whose the key is, one that asks: it shows and sends nothing. */
async function openApp(
	config: Config,
	requested: Parameters<typeof AppInstance.open>[1],
	shared: AppShared,
): Promise<AppInstance> {
	try {
		return await AppInstance.open(config, requested, shared);
	} catch (error) {
		if (!(error instanceof NewKeyError)) throw error;
		const {service: _, ...withoutService} = config;
		const newKey = error.other;
		return AppInstance.open({...withoutService, mode: 'none'}, () => ({}), {...shared, newKey});
	}
}

/** Ctrl+Z gives the terminal back through Ink, which must redraw afterwards. */
function Suspension({terminal}: {readonly terminal: Terminal}) {
	const {suspendTerminal} = useInkApp();
	useEffect(() => terminal.attachSuspension(suspendTerminal), [terminal, suspendTerminal]);
	return undefined;
}

/** Mouse reporting of the terminal. While it is off, the terminal selects text itself. Initially off. */
function captureMouse(terminal: Terminal): MouseInput {
	let isOn = false;
	return {
		isOn: () => isOn,
		turn(on) {
			isOn = on;
			terminal.setReports({focus: true, mouse: on});
		},
		listen: listener => terminal.onMouse(listener),
	};
}
