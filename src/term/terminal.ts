import {constants} from 'node:os';
import type {ReadStream, WriteStream} from 'node:tty';
import type {Rgb} from '../domain/display.ts';
import {cleanLine} from '../text/cells/clean.ts';
import {
	backgroundQuery,
	type Capabilities,
	capabilities,
	colorReports,
	isInTmux,
	readColor,
	throughTmux,
} from './capabilities.ts';
import {clipboardSequence, copyLocally} from './clipboard.ts';
import {type CrashReportOptions, crashReport} from './crash-report.ts';
import {GuardedStdin, type MouseReport} from './guarded-stdin.ts';
import {GuardedStdout} from './guarded-stdout.ts';
import {JobControl, type SuspendTerminal, untilForeground} from './job-control.ts';
import {exitSignals, type Lifecycle, startLifecycle} from './lifecycle.ts';
import {createRestore, TerminalModes} from './modes.ts';

/** The terminal keeps the title that was there before ours. */
const saveTitle = '\x1b[22;2t';
const restoreTitle = '\x1b[23;2t';

/** Sets the window's title. tmux uses it for its pane, so it isn't passed through. */
export function titleSequence(title: string): string {
	return `\x1b]2;${cleanLine(title, 200)}\x1b\\`;
}

const interruptedCode = 128 + constants.signals.SIGINT;
const ignore = () => {};
const noReports = `${colorReports.off}\x1b[?1004l\x1b[?1006l\x1b[?1002l\x1b[?1000l`;

export type TerminalOptions = {
	readonly stdin: ReadStream;
	readonly stdout: WriteStream & {readonly fd: number};
	readonly env: NodeJS.ProcessEnv;
	/** Saves the user's typed text to disk, within 1.5 s. Called once, however the program ends. */
	readonly save: () => Promise<void>;
	/** What to print after a normal exit, in whole lines; called once everything is saved. */
	readonly closingNote?: () => string;
	/** Saves immediately while the program runs on: called before the job stops, as it may never continue. */
	readonly stopping?: () => void;
	readonly crash: Omit<CrashReportOptions, 'at'>;
};

/** The part of Ink's instance used here. */
type MountedApp = {unmount(): void; waitUntilExit(): Promise<unknown>};

/**
 * Owns the terminal while the screen is open. Create it when startup begins, and pass its `stdin` and `stdout` to Ink. From
 * then on keys wait for Ink instead of being echoed into its first frame, the terminal's answers are read, and it is
 * restored however the program ends, except by kill -9. If startup fails, call `restoreEcho`.
 */
export class Terminal {
	/** Only for Ink. */
	readonly stdin: ReadStream;
	/** Only for Ink: its writes are checked. */
	readonly stdout: WriteStream;
	readonly capabilities: Capabilities;
	readonly #input: GuardedStdin;
	readonly #output: GuardedStdout;
	readonly #env: NodeJS.ProcessEnv;
	readonly #jobs: JobControl;
	readonly #lifecycle: Lifecycle;
	readonly #focus = new Set<(isFocused: boolean) => void>();
	readonly #mouse = new Set<(report: MouseReport) => void>();
	readonly #background = new Set<(color: Rgb) => void>();
	readonly #pasteCut = new Set<(length: number) => void>();
	#app: MountedApp | undefined;
	/** Sequences that enable the requested reports: sent again after a suspension. */
	#reports = '';
	#title: string | undefined;

	constructor({
		stdin,
		stdout,
		env,
		save,
		closingNote = () => '',
		stopping = () => {},
		crash,
	}: TerminalOptions) {
		// Until then a signal should just end us: Node's own listeners would change the terminal, which is the shell's.
		for (const signal of exitSignals) process.on(signal, ignore).off(signal, ignore);
		const typed = untilForeground();
		if (typed.length > 0) stdin.unshift(typed);
		const modes = new TerminalModes();
		this.#env = env;
		this.#output = new GuardedStdout(stdout, modes);
		this.#output.on('reset', () => this.#jobs.redraw());
		const askBackground = () => this.#output.writeRaw(backgroundQuery(env));
		const listeners = {
			focus: (isFocused: boolean) => {
				// Most terminals don't report color changes, but changing colors usually means leaving and
				// coming back.
				if (isFocused) askBackground();
				emit(this.#focus, isFocused);
			},
			mouse: (report: MouseReport) => emit(this.#mouse, report),
			background: (answer: string) => {
				const color = readColor(answer);
				if (color) emit(this.#background, color);
			},
			colorsChanged: askBackground,
			pasteCut: (length: number) => emit(this.#pasteCut, length),
			suspend: () => this.suspend(),
			reading: askBackground,
			interrupt: () => this.leave(interruptedCode),
		};
		const input = new GuardedStdin(stdin, listeners);
		this.#input = input;
		this.stdin = input as unknown as ReadStream;
		this.stdout = this.#output as unknown as WriteStream;
		this.capabilities = capabilities({stdin, stdout, env});
		this.#jobs = new JobControl({stopping, failed: error => this.crash(error)});
		this.#lifecycle = startLifecycle({
			stdin,
			stdout,
			save,
			closingNote,
			endScreen: () => this.#app?.unmount(),
			restore: createRestore({
				stdin,
				fd: stdout.fd,
				modes,
				silence: () => {
					this.#output.close();
					this.#input.ignoreRawMode();
				},
			}),
			report: error => crashReport(error, {...crash, at: Date.now()}),
			isAway: () => this.#jobs.isAway,
		});
		this.#input.suppressEcho();
		// Earlier keys were echoed, and the first frame is drawn from the cursor's position.
		this.#output.writeRaw('\r');
	}

	/** Gives the terminal back as it was when the screen won't open. */
	restoreEcho(): void {
		this.#input.setRawMode(false);
	}

	/** Follows Ink's instance until it ends: its own exit exits with 0, a render error is a crash. */
	follow(app: MountedApp): void {
		this.#app = app;
		app.waitUntilExit().then(
			() => this.leave(0),
			error => this.crash(error),
		);
	}

	/** Registers how Ink suspends (`useApp().suspendTerminal`). Returns a function that unregisters it. */
	attachSuspension(suspendTerminal: SuspendTerminal): () => void {
		return this.#jobs.attach(run =>
			suspendTerminal(async () => {
				this.#output.writeRaw(noReports + (this.#title === undefined ? '' : restoreTitle));
				try {
					await run();
				} finally {
					this.#output.writeRaw(this.#reports);
					if (this.#title !== undefined) this.#output.writeRaw(saveTitle + titleSequence(this.#title));
				}
			}),
		);
	}

	/** Ctrl+Z. */
	suspend(): void {
		this.#jobs.suspend();
	}

	/** Whether another program has the terminal. */
	get isAway(): boolean {
		return this.#jobs.isAway;
	}

	/** Gives the terminal to a program (`$EDITOR`) until `run` resolves, then redraws the screen. */
	handOver(run: () => Promise<void>): Promise<void> {
		return this.#jobs.handOver(run);
	}

	/** Closes the screen, restores the terminal, saves, exits. */
	leave(code: number): void {
		this.#lifecycle.leave(code);
	}

	crash(error: unknown): void {
		this.#lifecycle.crash(error);
	}

	/** Requests reports of colors, focus, and the mouse (buttons, wheel, dragging). */
	setReports({focus, mouse}: {focus: boolean; mouse: boolean}): void {
		const mouseModes = ['1000', '1002', '1006'].map(mode => `\x1b[?${mode}h`).join('');
		this.#reports = colorReports.on + (focus ? '\x1b[?1004h' : '') + (mouse ? mouseModes : '');
		this.#output.writeRaw(noReports + this.#reports);
	}

	onFocus(listener: (isFocused: boolean) => void): () => void {
		return listen(this.#focus, listener);
	}

	onMouse(listener: (report: MouseReport) => void): () => void {
		return listen(this.#mouse, listener);
	}

	/** Calls `listener` with the background color whenever the terminal reports it. */
	onBackground(listener: (color: Rgb) => void): () => void {
		return listen(this.#background, listener);
	}

	/** Calls `listener` with the full length of a paste that was cut to `maxPasteLength`. */
	onPasteCut(listener: (length: number) => void): () => void {
		return listen(this.#pasteCut, listener);
	}

	/** Sets the window's title; the previous one is restored at exit. */
	setTitle(title: string): void {
		if (!this.isAway)
			this.#output.writeRaw((this.#title === undefined ? saveTitle : '') + titleSequence(title));
		this.#title = title;
	}

	/** Sends a desktop notification, or the bell. */
	notify(title: string, body: string): void {
		this.#output.writeRaw(notification(title, body, this.#env));
	}

	/**
	 * Copies text to the clipboard: with a local program if one can reach it, else through the terminal.
	 * Returns what was used; `undefined` if the text is too long for the terminal (`maxClipboardLength`).
	 */
	async copy(text: string): Promise<string | undefined> {
		const program = await copyLocally(text, this.#env);
		if (program !== undefined) return program;
		const sequence = clipboardSequence(text, this.#env);
		if (sequence === undefined) return undefined;
		this.#output.writeRaw(sequence);
		return 'the terminal (OSC 52)';
	}

	/** Number of characters that Ink was kept from writing. */
	get foreign(): number {
		return this.#output.foreign;
	}
}

function listen<Value>(listeners: Set<(value: Value) => void>, listener: (value: Value) => void): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

function emit<Value>(listeners: Iterable<(value: Value) => void>, value: Value): void {
	for (const listener of listeners) listener(value);
}

/** The terminal's bell, which every terminal, tmux and screen support. */
export const bell = '\x07';

/** A notification as the terminal supports it (OSC 9, 99 or 777), or the bell. Cleans both texts. */
export function notification(title: string, body: string, env: NodeJS.ProcessEnv): string {
	const sequence = notificationFor(env, field(title), field(body));
	if (sequence === undefined) return bell;
	return isInTmux(env) ? bell + throughTmux(sequence) : sequence;
}

function notificationFor(env: NodeJS.ProcessEnv, title: string, body: string): string | undefined {
	if (env.KITTY_WINDOW_ID) return `\x1b]99;i=1:d=0;${title}\x1b\\\x1b]99;i=1:p=body;${body}\x1b\\`;
	const program = env.TERM_PROGRAM ?? '';
	if (program === 'iTerm.app' || env.LC_TERMINAL === 'iTerm2') return `\x1b]9;${title}: ${body}\x1b\\`;
	if (program === 'WezTerm' || program === 'ghostty' || takesOsc777(env))
		return `\x1b]777;notify;${title};${body}\x1b\\`;
	return undefined;
}

/** Detects these terminals by other variables: inside tmux, `TERM_PROGRAM` is tmux's own. */
function takesOsc777(env: NodeJS.ProcessEnv): boolean {
	return Boolean(env.WEZTERM_PANE || env.GHOSTTY_RESOURCES_DIR) || /^(?:rxvt|foot)/.test(env.TERM ?? '');
}

/** Replaces semicolons, which would start the next field. */
function field(text: string): string {
	return cleanLine(text, 200).replaceAll(';', ',');
}
