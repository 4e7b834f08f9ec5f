import {notify} from '../../actions/notify.ts';
import type {KeyPress} from '../../keys/key-press.ts';
import {withdrawOutdated} from '../../state/notices.ts';
import {newSessionDraft} from '../../state/view/dialogs.ts';
import {editorReduce, editorText} from '../../text/editor/editor.ts';
import {createEditor, type EditorAction} from '../../text/editor/editor-state.ts';
import {countInput} from '../input.ts';
import {strings} from '../strings.ts';
import type {AppParts} from '../use-app.ts';
import {appendToDraft} from './composer-edit.ts';
import {editorActionOf} from './editing-bindings.ts';

/** A key or paste that waits. `edit` is what it would do to a text. */
type Input = {readonly replay: () => void; readonly edit?: EditorAction | undefined};
type TypeAhead = {
	readonly inputs: Input[];
	/** How many dialogs there were: keys don't wait under one that the user opens later. */
	readonly depth: number;
};

/** Whether the new session is open now; if not, its id if it was created. */
export type Opened = {readonly isOpen: boolean; readonly sessionId?: string};

const waiting = new WeakMap<AppParts, TypeAhead>();

/**
 * Buffers keys until a new session is there, then replays them if it is open, or else keeps their text as a draft. They
 * are meant for the session, not for what is on the screen now.
 */
export function startTypeAhead(parts: AppParts, opening: Promise<Opened>): void {
	stopTypeAhead(parts);
	const own: TypeAhead = {inputs: [], depth: parts.view.getState().dialogs.length};
	waiting.set(parts, own);
	const isCurrent = () => waiting.get(parts) === own;
	const why = `Creating a session: what you type goes to it; ${parts.keys.label('keep-draft')} stops waiting`;
	notify(parts.actions, 'info', why, {until: Number.POSITIVE_INFINITY, isCurrent});
	void opening.then(({isOpen, sessionId}) => {
		if (!isCurrent()) return;
		waiting.delete(parts);
		// Otherwise the footer says that it waits until something else draws it.
		withdrawOutdated(parts.stores.notices);
		if (isOpen) for (const {replay} of own.inputs) replay();
		else if (sessionId !== undefined) {
			if (keepText(parts, own, sessionId))
				notify(parts.actions, 'info', "Your text is kept in the new session's composer");
		} else if (keepText(parts, own, newSessionDraft) && !showsDraft(parts)) {
			notify(parts.actions, 'info', strings.typeAhead.kept(parts.keys.label('new-session')));
		}
	});
}

/** Ends the wait, if there is one: the typed text becomes the draft of a new session. */
export function stopTypeAhead(parts: AppParts): void {
	const own = waiting.get(parts);
	if (!own) return;
	waiting.delete(parts);
	const {stopped, kept} = strings.typeAhead;
	const isKept = keepText(parts, own, newSessionDraft);
	notify(parts.actions, 'info', isKept ? kept(parts.keys.label('new-session')) : stopped);
}

/** Buffers a key while others wait, except those that work everywhere and clicks on a key's hint. */
export function bufferKey(parts: AppParts, press: KeyPress, replay: () => void): boolean {
	const own = waiting.get(parts);
	if (!own || parts.keys.find(['everywhere'], press.name)) return false;
	if (isUnderDialog(parts, own)) return false;
	const {depth} = own;
	const context = parts.view.getState().dialogs[depth - 1]?.kind ?? 'lists';
	if (parts.keys.find([context], press.name)?.action === 'keep-draft') {
		stopTypeAhead(parts);
		// A late result must no longer take the focus.
		countInput(parts);
		// A question above stays.
		return parts.view.getState().dialogs.length > depth;
	}
	return !press.isClicked && bufferInput(parts, replay, editOf(parts, press));
}

/** Whether the user has opened a dialog since. A question that opened by itself isn't what they type for. */
function isUnderDialog({view}: AppParts, {depth}: TypeAhead): boolean {
	const {dialogs} = view.getState();
	const top = dialogs.at(-1);
	return dialogs.length > depth && !(top?.kind === 'confirm' && top.isUnexpected);
}

function showsDraft({view}: AppParts): boolean {
	return view.getState().dialogs.at(-1)?.kind === 'new-session';
}

/** Buffers any other input while keys wait, such as a paste. Returns whether it did. */
export function bufferInput(parts: AppParts, replay: () => void, edit?: EditorAction): boolean {
	const own = waiting.get(parts);
	if (!own || isUnderDialog(parts, own)) return false;
	own.inputs.push({replay, edit});
	return true;
}

/** The edit that a key makes in the composer. A key that sends ends a line. */
function editOf({keys}: AppParts, {name, text}: KeyPress): EditorAction | undefined {
	if (text !== '') return {type: 'insert', text};
	const action = keys.find(['composer'], name)?.action;
	return action === 'send' || action === 'newline' ? {type: 'insert', text: '\n'} : editorActionOf(action);
}

/** Adds the typed text to a draft. Returns whether there was any. */
function keepText(parts: AppParts, {inputs}: TypeAhead, composerId: string): boolean {
	const typed = inputs.reduce(
		(editor, {edit}) => (edit ? editorReduce(editor, edit) : editor),
		createEditor(''),
	);
	const text = editorText(typed).trim();
	if (text === '') return false;
	appendToDraft(parts, composerId, text);
	return true;
}
