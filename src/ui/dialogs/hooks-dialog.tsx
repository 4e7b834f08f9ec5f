import type {KeyLayer} from '../../keys/layers.ts';
import {popDialog, pushDialog} from '../../state/dialogs.ts';
import type {HookLine, HookSetup} from '../../state/hook-setup.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {type Line, span, type Tone} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import type {Intents} from '../input.ts';
import {dialogRect} from '../kit/dialog-rect.ts';
import {Pane} from '../kit/pane.tsx';
import type {Layout} from '../layout.ts';
import {layoutNow} from '../layout-now.ts';
import {useZone, zoneOrder} from '../mouse/zones.ts';
import {setView} from '../set-view.ts';
import {type AppParts, type Parts, useApp} from '../use-app.ts';
import type {DialogModule, DialogOf, DialogProps} from './dialog-module.ts';
import {changeDialog, listLayer} from './list-layer.ts';
import {strings} from './strings.ts';

const text = strings.hooks;
const maxWidth = 110;

/** What installing or uninstalling the hooks changes in the clients' settings, as the command shows it. */
function HooksDialog({dialog, layout}: DialogProps<'hooks'>) {
	const {keys} = useApp();
	const {rect, lines, height} = hooksLayout(dialog, layout);
	useZone({rect, order: zoneOrder.dialog});
	const {what, plan, result} = dialog;
	const apply = keys.label('hooks-apply');
	const bottom =
		plan && !result && plan.changes > 0
			? text.apply(apply, text.doing[what], keys.label('hooks-other'), text.doing[other(what)])
			: text.noChange(keys.label('hooks-other'), text.showing[other(what)], keys.label('cancel'));
	return (
		<Pane
			rect={rect}
			title={[span(text.title[what], 'heading')]}
			bottom={[span(bottom, 'dim')]}
			isFocused
			body={lines.slice(dialog.top, dialog.top + height).map(line => ({line: [span(safe` `), ...line]}))}
		/>
	);
}

function other(what: DialogOf<'hooks'>['what']): DialogOf<'hooks'>['what'] {
	return what === 'install' ? 'uninstall' : 'install';
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
	if (!plan) return [[span(text.reading, 'dim')]];
	return [
		...wrapped(plan.changes > 0 ? text.about[what] : text.nothing[what], 'dim'),
		[],
		...plan.lines.flatMap(line =>
			line.kind === 'file' ? [...wrapped(line.text, 'strong')] : wrapped(line.text, toneOf(line)),
		),
	];
}

function toneOf({text: line}: HookLine): Tone {
	if (line.startsWith('+')) return 'good';
	return line.startsWith('-') ? 'bad' : 'dim';
}

function hooksLayer(parts: AppParts, dialog: DialogOf<'hooks'>): KeyLayer {
	return listLayer(parts, {
		context: 'hooks',
		index: dialog.top,
		page: Math.max(1, hooksLayout(dialog, layoutNow(parts)).height),
		count() {
			const {lines, height} = hooksLayout(dialog, layoutNow(parts));
			return Math.max(0, lines.length - height) + 1;
		},
		moved: top => changeDialog(parts.view, 'hooks', now => ({...now, top})),
		chosen(action) {
			if (action === 'hooks-apply') apply(parts, dialog);
			else if (action === 'hooks-other') {
				setView(parts.view, popDialog);
				open(parts, other(dialog.what));
			} else if (action === 'hooks-dismiss') {
				setView(parts.view, popDialog);
				void dismiss(parts.hooks, true);
			}
		},
	});
}

/** Changes what was shown; a file that changed since is left alone, and said. */
function apply(parts: Parts<'hooks' | 'view'>, {what, plan, result}: DialogOf<'hooks'>): void {
	if (!plan || result || plan.changes === 0) return;
	const lines = plan.apply();
	changeDialog(parts.view, 'hooks', now => ({...now, result: lines, top: 0}));
	// Who uninstalls them knows that they are missing.
	void dismiss(parts.hooks, what === 'uninstall');
}

function open(parts: Parts<'hooks' | 'view'>, what: DialogOf<'hooks'>['what']): void {
	setView(parts.view, view => pushDialog(view, {kind: 'hooks', what, top: 0}));
	const opened = parts.view.getState().dialogs.at(-1);
	const shown = (change: Partial<DialogOf<'hooks'>>) => {
		if (parts.view.getState().dialogs.at(-1) === opened)
			changeDialog(parts.view, 'hooks', now => ({...now, ...change}));
	};
	parts.hooks.plan(what).then(
		plan => shown({plan}),
		error => shown({problem: error instanceof Error ? error.message : String(error)}),
	);
}

/** Whether Needs you says that hooks are missing, from now on. */
async function dismiss(hooks: HookSetup, isDismissed: boolean): Promise<void> {
	if (isDismissed) hooks.hint.setState({isShown: false});
	await hooks.dismiss(isDismissed);
	const isShown = await hooks.isMissing().catch(() => false);
	hooks.hint.setState({isShown});
}

const intents: Intents = {hooks: parts => open(parts, 'install')};

export const hooksDialog: DialogModule<'hooks'> = {Component: HooksDialog, layer: hooksLayer, intents};
