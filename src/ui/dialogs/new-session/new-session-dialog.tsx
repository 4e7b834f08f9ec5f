import {useStore} from 'zustand';
import {failureOf} from '../../../domain/computers/provisioning.ts';
import {awaitsComputer} from '../../../state/connection.ts';
import {computerName} from '../../../state/sessions/session-items.ts';
import {isOpen} from '../../../state/view/completion.ts';
import {newSessionDraft, popDialog} from '../../../state/view/dialogs.ts';
import {setView} from '../../../state/view/view.ts';
import {cleanLine} from '../../../text/cells/clean.ts';
import {cutEnd, cutMiddle} from '../../../text/cells/cut.ts';
import {textWidth} from '../../../text/cells/graphemes.ts';
import {type Line, lineWidth, type Span, span} from '../../../text/cells/line.ts';
import {type Safe, safe} from '../../../text/cells/safe.ts';
import {wrapStart} from '../../../text/cells/wrap.ts';
import {editorReduce} from '../../../text/editor/editor.ts';
import {editorView, fieldView} from '../../../text/editor/editor-layout.ts';
import {createEditor, type EditorAction} from '../../../text/editor/editor-state.ts';
import {closeCompletion} from '../../composer/completions.ts';
import {attachmentChips, attachmentsOf, offerImages} from '../../composer/composer-attachments.ts';
import {edit} from '../../composer/composer-edit.ts';
import {composerOf} from '../../composer/composers.ts';
import {editorActionOf} from '../../composer/editing-bindings.ts';
import {strings as composerStrings} from '../../composer/strings.ts';
import {SuggestionsPane} from '../../composer/suggestions-pane.tsx';
import type {KeyLayer, KeyOutcome} from '../../input.ts';
import {bindingsIn} from '../../keys/binding.ts';
import {dialogRect} from '../../kit/dialog-rect.ts';
import {Pane} from '../../kit/pane.tsx';
import {fieldText} from '../../kit/text-field.tsx';
import {useScreenCursor} from '../../kit/use-screen-cursor.ts';
import {composerColumns, newSessionWidth} from '../../layout-now.ts';
import {useZone, zoneOrder} from '../../mouse/zones.ts';
import {type AppParts, useApp} from '../../use-app.ts';
import type {DialogModule, DialogProps} from '../dialog-module.ts';
import {refuseText} from '../form/form-bindings.ts';
import {openForm} from '../form/open-form.ts';
import {newSettingsForm, settingsWords} from '../form/session-forms.ts';
import {topDialog} from '../list-layer.ts';
import {canCompleteFolder, completeFolder, listFolders, updateFolders} from './folder-list.ts';
import {
	agentOf,
	canChooseAgent,
	change,
	choose,
	configuredAgent,
	isShell,
	movePart,
	type NewSessionState,
	otherAgents,
	usualAgent,
	usualComputer,
} from './new-session-state.ts';
import {startSession} from './start-session.ts';

/** Rows for the words before they are typed, and at most. */
const wordRows = {min: 3, max: 10} as const;
const maxProblemRows = 3;
/** Column of the words: after the border, a space, the prompt and another space. */
const textStart = 4;
const noWords = composerOf(undefined, []);

/** Asks what a new session should do. One line below the text says where it runs. */
function NewSessionDialog({dialog, layout}: DialogProps<'new-session'>) {
	const parts = useApp();
	const {composers, stores, view: views} = parts;
	const composer = useStore(composers, ({bySession}) => bySession.get(newSessionDraft) ?? noWords);
	const completion = useStore(views, view => view.completion);
	const computers = useStore(stores.fleet, fleet => fleet.computers);
	useStore(stores.connection, ({agents}) => agents);
	const width = newSessionWidth(layout);
	const inner = width - 4;
	const attached = attachmentsOf(composer);
	const chips: Line[] = attached.length > 0 ? [[span(safe`   `), ...attachmentChips(attached, inner)]] : [];
	const computerId = dialog.computerId ?? usualComputer(parts);
	const computer = computers.get(computerId ?? '')?.computer;
	const name = computerId === undefined ? safe`this machine` : cleanLine(computerName(computers, computerId));
	const warning = failureOf(computer) && safe`✗ ${name} failed to set up: a session may not work there.`;
	const note = dialog.problem === undefined ? warning : cleanLine(dialog.problem);
	const problem = note === undefined ? [] : wrapStart(note, inner, maxProblemRows);
	const others = chips.length + problem.length + 3;
	const room = Math.max(1, Math.min(wordRows.max, layout.rows - 5 - others));
	const editor = dialog.isBusy ? createEditor(dialog.sent ?? '') : composer.editor;
	const words = editorView(editor, composerColumns(width), room);
	const height = Math.min(room, Math.max(wordRows.min, words.lines.length));
	const isEmpty = editor.text === '';
	const rect = dialogRect(layout, width - 2, height + others);
	const usual = usualAgent(parts, computerId);
	const agent = agentOf(parts, dialog) || usual?.name;
	const where = whereLine(parts, dialog, {name, folder: computer?.folder, usual}, inner);
	const wordsTop = rect.y + 1 + chips.length;
	const isPlain = dialog.isBusy !== true;
	useScreenCursor(
		isPlain && dialog.part === 'words'
			? {x: rect.x + textStart + words.cursor.x, y: wordsTop + words.cursor.y}
			: isPlain && where.cursor !== undefined
				? {x: rect.x + 2 + where.cursor, y: wordsTop + height + 1}
				: undefined,
	);
	useZone({
		rect,
		order: zoneOrder.dialog,
		press({y}) {
			if (dialog.part === 'words' && y > chips.length + height) movePart(parts, 1);
			else {
				closeCompletion(parts.view);
				change(parts.view, now => ({...now, part: 'words'}));
			}
		},
	});
	// The shell runs its words as a command.
	const placeholder = agent === 'shell' ? composerStrings.shellHint : composerStrings.hint;
	const lines = Array.from({length: height}, (_, index): Line => {
		const isFirst = index === 0 && words.hidden.above === 0;
		const typed = isEmpty && index === 0 ? [span(placeholder, 'dim')] : (words.lines[index] ?? []);
		return [span(safe` `), isFirst ? span(safe`> `, 'accent') : span(safe`  `), ...typed];
	});
	const bottom = dialog.isBusy
		? awaitsComputer(parts)
			? safe`Setting up this machine…`
			: safe`Creating the session…`
		: choices(parts, dialog, inner);
	const body: Line[] = [
		...chips,
		...lines,
		[],
		[span(safe` `), ...where.line],
		[span(safe` `), ...settingsLine(parts, dialog, inner)],
		...problem.map((row): Line => [span(safe` `), span(row, 'bad')]),
	];
	return (
		<>
			<Pane
				rect={rect}
				title={[span(safe`What should it do?`, 'heading')]}
				bottom={[span(bottom, dialog.isBusy ? 'info' : 'dim')]}
				isFocused
				body={body.map(line => ({line}))}
			/>
			{isPlain && completion && isOpen(completion, newSessionDraft) && (
				<SuggestionsPane completion={completion} composerRect={rect} />
			)}
		</>
	);
}

/** What there is to choose from. */
function choices(parts: AppParts, {part}: NewSessionState, width: number): Safe {
	const {computers} = parts.stores.fleet.getState();
	if (part === 'folder') return safe`type a path, ↑ others`;
	if (part === 'computer')
		return cutEnd(cleanLine([...computers.keys()].map(id => computerName(computers, id)).join(', ')), width);
	if (part !== 'agent') return safe``;
	return cutEnd(cleanLine([configuredAgent(parts.profile), ...otherAgents(parts)].join(', ')), width);
}

/** `settings plan · its own worktree · #urgent` */
function settingsLine(parts: AppParts, dialog: NewSessionState, width: number): Line {
	const {settings = {}, part} = dialog;
	const words = settingsWords(settings, isShell(parts.profile, agentOf(parts, dialog)));
	const shown = words === '' ? safe`default` : cleanLine(words);
	const label = safe`settings`;
	const value = cutEnd(shown, width - textWidth(label) - 2);
	if (part === 'settings') return [span(safe`▌${label} ${value}`, 'accent', {bold: true})];
	return [span(safe`${label} `, 'dim'), span(value, words !== '' && part === 'words' ? 'strong' : 'dim')];
}

type Where = {
	readonly name: Safe;
	readonly folder: string | undefined;
	readonly usual: ReturnType<typeof usualAgent>;
};

/** `computer vm · agent claude · folder ~/shop`, and the column of the cursor in the folder. */
function whereLine(
	parts: AppParts,
	dialog: NewSessionState,
	{name, folder: usualFolder, usual}: Where,
	width: number,
): {readonly line: Line; readonly cursor?: number} {
	const {part, folder} = dialog;
	const agent = agentOf(parts, dialog);
	// Highlights the part that the keys change.
	const value = (text: Safe): Span => span(text, part === 'words' ? 'strong' : 'dim');
	const mark = (text: Safe) => span(text, 'accent', {bold: true});
	const labelOf = (own: NewSessionState['part'], label: Safe) =>
		part === own ? mark(safe`▌${label} `) : span(safe`${label} `, 'dim');
	const gap = span(safe` · `, 'dim');
	const choice = (own: 'computer' | 'agent', label: Safe, chosen: Safe, canChange: boolean): Line => [
		labelOf(own, label),
		part === own ? mark(canChange ? safe`‹ ${chosen} ›` : chosen) : value(chosen),
		gap,
	];
	const hasOtherComputers = parts.stores.fleet.getState().computers.size > 1;
	const computerChoice = choice('computer', safe`computer`, cutMiddle(name, maxName), hasOtherComputers);
	const isFolder = part === 'folder';
	if (usual === undefined && usualFolder === undefined && folder.text === '' && !isFolder)
		return {line: [...computerChoice, span(safe`the service chooses agent and folder`, 'dim')]};
	const agentName = cutEnd(cleanLine(agent === '' ? (usual?.name ?? '') : agent), maxName);
	const agentWords = usual?.isGuess ? safe`${agentName} last time` : agentName;
	const unknownAgent = isFolder ? [] : [span(safe`the service chooses the agent`, 'dim'), gap];
	const agentChoice = usual ? choice('agent', safe`agent`, agentWords, canChooseAgent(parts)) : unknownAgent;
	const label = labelOf('folder', safe`folder`);
	// On a narrow screen, the parts before the active one are left out.
	const before = part === 'agent' ? [computerChoice] : isFolder ? [computerChoice, agentChoice] : [];
	const needed = lineWidth([...computerChoice, ...agentChoice, label]) + minFolder;
	const line = [computerChoice, agentChoice, [label]]
		.filter(one => needed <= width || !before.includes(one))
		.flat();
	const room = Math.max(4, width - lineWidth(line));
	const isDefault = safe` (default)`;
	const usualText =
		usualFolder === undefined
			? cutMiddle(safe`chosen by the service`, room)
			: safe`${cutMiddle(cleanLine(usualFolder), Math.max(1, room - textWidth(isDefault)))}${isDefault}`;
	const shown = folder.text === '' ? span(usualText, 'dim') : undefined;
	if (!isFolder) return {line: [...line, shown ?? value(cutMiddle(cleanLine(folder.text), room))]};
	const {text: typed, cursor} = fieldView(folder, room);
	return {
		line: [...line, shown ?? span(typed, 'accent')],
		cursor: lineWidth(line) + cursor,
	};
}

const maxName = 20;
/** Columns of a folder that is typed. */
const minFolder = 16;

/** Whether text that is typed replaces the folder: it was filled in. */
function isReplacedByTyping({folder, isFolderEdited}: NewSessionState): boolean {
	return folder.text !== '' && !isFolderEdited;
}

function newSessionLayer(parts: AppParts, dialog: NewSessionState): KeyLayer {
	const editFolder = (action: EditorAction) => {
		change(parts.view, ({problem: _, ...now}) => {
			const isReplaced = action.type === 'insert' && isReplacedByTyping(now);
			const all = {type: 'replace', start: 0, end: now.folder.text.length} as const;
			const folder = editorReduce(now.folder, isReplaced ? {...all, text: action.text} : action);
			return {...now, folder, isFolderEdited: true};
		});
		updateFolders(parts);
	};
	const pick = (step: Parameters<typeof choose>[1]) =>
		dialog.part === 'settings' ? openSettings(parts) : choose(parts, step);
	const type = (typed: string): KeyOutcome => {
		if (dialog.part === 'words') edit(parts, newSessionDraft, {type: 'insert', text: typed});
		else if (dialog.part === 'folder') editFolder({type: 'insert', text: fieldText(typed)});
		else {
			pick(typed === ' ' ? 1 : typed);
			if (parts.view.getState().dialogs.at(-1) === dialog) return 'ignored';
		}
		return 'consumed';
	};
	return {
		isModal: true,
		handle(press) {
			const action = parts.keys.find(['new-session'], press.name)?.action;
			if (dialog.isBusy) {
				if (action === 'keep-draft') parts.input.handleKey(parts, press);
			} else if (press.text !== '') return type(press.text);
			// Suggestions get the key first, then the dialog, then the text.
			else if (parts.input.handleKey(parts, press) === 'consumed') return 'consumed';
			else if (dialog.part === 'words') return parts.input.handleKey(parts, press, ['composer']);
			else if (dialog.part === 'folder') {
				if (press.name === 'up') listFolders(parts, '');
				const editing = editorActionOf(parts.keys.find(['form'], press.name)?.action);
				if (editing) editFolder(editing);
			} else if (press.name === 'right' || press.name === 'down') pick(1);
			else if (press.name === 'left' || press.name === 'up') pick(-1);
			return 'consumed';
		},
		paste(pasted) {
			if (dialog.isBusy) return 'consumed';
			if (dialog.part === 'folder') type(pasted);
			else if (dialog.part !== 'words') refuseText(parts);
			if (dialog.part !== 'words') return 'consumed';
			const start = parts.composers.getState().bySession.get(newSessionDraft)?.editor.cursor ?? 0;
			edit(parts, newSessionDraft, {type: 'paste', text: pasted});
			void offerImages(parts, newSessionDraft, pasted, start);
			return 'consumed';
		},
	};
}

/** Opens the form for the settings; it puts them on the line of the dialog. */
function openSettings(parts: AppParts): void {
	const dialog = topDialog(parts.view.getState(), 'new-session');
	if (!dialog) return;
	openForm(
		parts,
		newSettingsForm({
			starts: dialog.settings,
			hasMode: !isShell(parts.profile, agentOf(parts, dialog)),
			use: settings => change(parts.view, now => ({...now, settings, part: 'words'})),
		}),
	);
}

const shared = {contexts: ['new-session'], isPaletteHidden: true} as const;

export const newSessionBindings = bindingsIn(shared, [
	{
		action: 'start-session',
		keys: ['enter'],
		title: 'Create the session and send the text',
		hint: 'start',
		hintNow: ({view}) => (topDialog(view, 'new-session')?.part === 'settings' ? 'change' : undefined),
		run(parts) {
			if (topDialog(parts.view.getState(), 'new-session')?.part === 'settings') openSettings(parts);
			else void startSession(parts);
		},
	},
	{
		action: 'next-part',
		keys: ['tab'],
		title: 'Go on: computer, agent, folder, settings, text; completes a typed folder first',
		hint: 'choose where and how it runs',
		hintNow({parts, view}) {
			const dialog = topDialog(view, 'new-session');
			if (!dialog || dialog.part === 'words') return undefined;
			if (canCompleteFolder(parts)) return 'complete';
			return dialog.part === 'settings' ? 'back to the text' : 'next field';
		},
		run(parts) {
			if (topDialog(parts.view.getState(), 'new-session')?.part === 'folder') completeFolder(parts);
			else movePart(parts, 1);
		},
	},
	{
		action: 'previous-part',
		keys: ['shift+tab'],
		title: 'Go back: settings, folder, agent, computer, text',
		run: parts => movePart(parts, -1),
	},
]);

/** After the keys of the composer, which the dialog has too. */
export const keepDraftBindings = bindingsIn(shared, [
	{
		action: 'keep-draft',
		keys: ['escape'],
		title: 'Close; the text and where it runs are kept for next time',
		hint: 'save and close',
		isWayOut: true,
		run: parts => setView(parts.view, popDialog),
	},
]);

export const newSessionDialog: DialogModule<'new-session'> = {
	Component: NewSessionDialog,
	layer: newSessionLayer,
};
