import type {HookChange, HookLine, HookSetup} from '../../state/hook-setup.ts';
import {popDialog, pushDialog} from '../../state/view/dialogs.ts';
import {setView} from '../../state/view/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {type Line, span, type Tone} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import type {KeyLayer} from '../input.ts';
import {bindingsIn, bindingsOf, type Enabled, type Now} from '../keys/binding.ts';
import {dialogRect} from '../kit/dialog-rect.ts';
import type {Layout} from '../layout.ts';
import {layoutNow} from '../layout-now.ts';
import type {AppParts} from '../use-app.ts';
import type {DialogModule, DialogOf, DialogProps} from './dialog-module.ts';
import {changeDialog, topDialog} from './list-layer.ts';
import {scrolledTextLayer, TextPane} from './scrolled-text.tsx';

/** The title, what the change is for and what if it changes nothing, and what Enter does. */
const texts = {
	install: {
		title: safe`Install hooks`,
		about: 'With hooks, the agents on this machine report here when they stop, ask or end. This adds them:',
		nothing: 'Nothing to install.',
		apply: safe`install`,
	},
	answer: {
		title: safe`Install hooks and answer here`,
		about:
			"With this, you can also allow or deny Claude Code's permission prompts here. The client shows its own prompt, too, and the first answer counts; after 10 minutes you can answer only there. The command or change is sent to your running Quarterdecks, which keep it in memory only. This adds:",
		nothing: 'Nothing to install.',
		apply: safe`install`,
	},
	uninstall: {
		title: safe`Uninstall hooks`,
		about: 'This removes our hooks, and restores each file:',
		nothing: 'Nothing to uninstall: none of our hooks are installed.',
		apply: safe`uninstall`,
	},
} as const satisfies Record<HookChange, unknown>;

const maxWidth = 110;

/** What installing or uninstalling the hooks changes in the clients' settings, as the command shows it. */
function HooksDialog({dialog, layout}: DialogProps<'hooks'>) {
	return <TextPane dialog={dialog} title={texts[dialog.what].title} {...hooksLayout(dialog, layout)} />;
}

/** Whether the dialog shows a change that was not made yet. */
function isPending({plan, result}: DialogOf<'hooks'>): boolean {
	return !result && plan !== undefined && plan.changes > 0;
}

const otherOf = (what: HookChange): HookChange => (what === 'uninstall' ? 'install' : 'uninstall');

function canAnswer({what, result}: DialogOf<'hooks'>): boolean {
	return what !== 'uninstall' && !result;
}

function hooksLayout(dialog: DialogOf<'hooks'>, layout: Layout) {
	const width = Math.min(maxWidth, layout.columns - 4);
	const lines = dialogLines(dialog, width - 4);
	const rect = dialogRect(layout, width, lines.length);
	return {rect, lines, height: rect.height - 2};
}

function dialogLines({what, plan, result, problem}: DialogOf<'hooks'>, width: number): Line[] {
	const wrapped = (line: string, tone?: Tone): Line[] =>
		wrapText(cleanLine(line, 4_000), width).map(row => [span(row, tone)]);
	if (problem !== undefined) return wrapped(problem, 'bad');
	if (result) return result.flatMap(({text: line}) => wrapped(line));
	if (!plan) return [[span(safe`Reading the settings…`, 'dim')]];
	return [
		...wrapped(plan.changes > 0 ? texts[what].about : texts[what].nothing, 'dim'),
		[],
		...plan.lines.flatMap(line => wrapped(line.text, line.kind === 'file' ? 'strong' : toneOf(line))),
	];
}

function toneOf({text: line}: HookLine): Tone {
	if (line.startsWith('+')) return 'good';
	return line.startsWith('-') ? 'bad' : 'dim';
}

function hooksLayer(parts: AppParts, dialog: DialogOf<'hooks'>): KeyLayer {
	const {lines, height} = hooksLayout(dialog, layoutNow(parts));
	return scrolledTextLayer(parts, dialog, height, () => lines.length);
}

/** Makes the changes that were shown. A file that has changed since is left alone and reported. */
function apply(parts: AppParts): void {
	const {what, plan} = topDialog(parts.view.getState(), 'hooks') ?? {};
	if (!plan) return;
	const lines = plan.apply();
	changeDialog(parts.view, 'hooks', now => ({...now, result: lines, top: 0}));
	// After uninstalling, the user knows that they are missing.
	void dismiss(parts.hooks, what === 'uninstall');
}

function open(parts: AppParts, what: HookChange): void {
	setView(parts.view, view => pushDialog(view, {kind: 'hooks', what, top: 0}));
	const opened = parts.view.getState().dialogs.at(-1);
	const show = (change: Partial<DialogOf<'hooks'>>) => {
		if (parts.view.getState().dialogs.at(-1) === opened)
			changeDialog(parts.view, 'hooks', now => ({...now, ...change}));
	};
	parts.hooks.plan(what).then(
		plan => show({plan}),
		error => show({problem: error instanceof Error ? error.message : String(error)}),
	);
}

/** Shows another change in place of the one that is shown. */
function show(parts: AppParts, next: (what: HookChange) => HookChange): void {
	const dialog = topDialog(parts.view.getState(), 'hooks');
	if (!dialog) return;
	setView(parts.view, popDialog);
	open(parts, next(dialog.what));
}

/** Sets whether Needs you reports missing hooks from now on. */
async function dismiss(hooks: HookSetup, isDismissed: boolean): Promise<void> {
	if (isDismissed) hooks.hint.setState({isShown: false});
	await hooks.dismiss(isDismissed);
	await hooks.look().catch(() => {});
}

const hasChange = ({view}: Now): Enabled => {
	const dialog = topDialog(view, 'hooks');
	return (dialog && isPending(dialog)) || 'There is nothing to change';
};

/** What a key does in the open dialog, for the footer. */
const hintOf =
	(words: (dialog: DialogOf<'hooks'>) => string) =>
	({view}: Now): string | undefined => {
		const dialog = topDialog(view, 'hooks');
		return dialog && words(dialog);
	};

export const hookBindings = bindingsOf([
	{
		action: 'hooks',
		keys: ['H'],
		title: "Hooks of this machine's agents: show, install, uninstall",
		contexts: ['lists', 'stream', 'computer', 'session-table', 'computer-table', 'events'],
		run: parts => open(parts, 'install'),
	},
	...bindingsIn({contexts: ['hooks'], isPaletteHidden: true}, [
		{
			action: 'hooks-apply',
			keys: ['enter'],
			title: 'Make the change that is shown',
			hintNow: hintOf(({what}) => texts[what].apply),
			isEnabled: hasChange,
			run: apply,
		},
		{
			action: 'hooks-other',
			keys: ['u'],
			title: 'Show what uninstalling changes, or installing',
			hintNow: hintOf(dialog => {
				const {apply} = texts[otherOf(dialog.what)];
				if (dialog.result) return '';
				return isPending(dialog) ? safe`${apply} instead` : apply;
			}),
			run: parts => show(parts, otherOf),
		},
		{
			action: 'hooks-answer',
			keys: ['a'],
			title: 'Install so that permission prompts can be answered here, or without',
			hintNow: hintOf(dialog => {
				if (!canAnswer(dialog)) return '';
				return dialog.what === 'answer' ? safe`without answering` : safe`answer prompts here, too`;
			}),
			run: parts => show(parts, what => (what === 'answer' ? 'install' : 'answer')),
		},
		{
			action: 'hooks-dismiss',
			keys: ['x'],
			title: "Don't show again that hooks are missing",
			hintNow: hintOf(({result}) => (result ? '' : "don't show again")),
			run(parts) {
				setView(parts.view, popDialog);
				void dismiss(parts.hooks, true);
			},
		},
	]),
]);

export const hooksDialog: DialogModule<'hooks'> = {Component: HooksDialog, layer: hooksLayer};
