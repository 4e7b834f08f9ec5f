import {notify} from '../actions/notify.ts';
import type {KeyPress} from '../keys/key-press.ts';
import {newSessionDraft} from '../state/dialogs.ts';
import {editorReduce, editorText} from '../text/editor/editor.ts';
import {createEditor, type EditorAction} from '../text/editor/editor-state.ts';
import {editorActionOf} from './composer/composer-edit.ts';
import {composerAt, setComposer} from './composer/composers.ts';
import {type Opened, prepareComposer} from './open-session.ts';
import {strings} from './strings.ts';
import type {AppParts} from './use-app.ts';

/** A key or paste that waits. `edit` is what it would do to a text. */
type Input = {readonly replay: () => void; readonly edit?: EditorAction | undefined};
type TypeAhead = {readonly inputs: Input[]; readonly stop: () => void};

const waiting = new WeakMap<AppParts, TypeAhead>();

/**
 * Buffers what is typed until `opening` resolves, then replays it if that is open, or else keeps its text as a draft: it
 * is meant for what opens next, not for what is on the screen now. Until then the footer shows `why`; the key that goes
 * back ends the wait. `stop` is called at its end.
 */
export function startTypeAhead(
	parts: AppParts,
	opening: Promise<Opened>,
	why: string,
	stop = () => {},
): void {
	stopTypeAhead(parts);
	const own: TypeAhead = {inputs: [], stop};
	waiting.set(parts, own);
	const isCurrent = () => waiting.get(parts) === own;
	notify(parts.actions, 'info', why, {until: Number.POSITIVE_INFINITY, isCurrent});
	void opening.then(({isOpen, problem, sessionId}) => {
		if (!isCurrent()) return;
		waiting.delete(parts);
		stop();
		if (isOpen) for (const {replay} of own.inputs) replay();
		else if (sessionId !== undefined) {
			if (keepText(parts, own, sessionId)) notify(parts.actions, 'info', strings.typeAhead.keptInSession);
		} else if (keepText(parts, own, newSessionDraft)) {
			const kept = strings.typeAhead.kept(parts.keys.label('new-session'));
			notify(
				parts.actions,
				problem === undefined ? 'info' : 'bad',
				[problem, kept].filter(Boolean).join(' '),
			);
		}
	});
}

/** Ends the wait, if there is one: what was typed becomes the draft of a new session. */
export function stopTypeAhead(parts: AppParts): void {
	const own = waiting.get(parts);
	if (!own) return;
	waiting.delete(parts);
	own.stop();
	const {stopped, kept} = strings.typeAhead;
	const isKept = keepText(parts, own, newSessionDraft);
	notify(parts.actions, 'info', isKept ? kept(parts.keys.label('new-session')) : stopped);
}

/** Buffers a key while others wait, except keys that work everywhere. Returns whether it did. */
export function bufferKey(parts: AppParts, press: KeyPress, replay: () => void): boolean {
	if (!waiting.has(parts) || parts.keys.find(['everywhere'], press.name)) return false;
	if (parts.keys.find(['lists'], press.name)?.action !== 'back')
		return bufferInput(parts, replay, editOf(parts, press));
	stopTypeAhead(parts);
	return true;
}

/** Buffers any other input while keys wait, such as a paste. Returns whether it did. */
export function bufferInput(parts: AppParts, replay: () => void, edit?: EditorAction): boolean {
	return waiting.get(parts)?.inputs.push({replay, edit}) !== undefined;
}

/** What a key does in the composer. One that sends ends a line. */
function editOf({keys}: AppParts, {name, text}: KeyPress): EditorAction | undefined {
	if (text !== '') return {type: 'insert', text};
	const action = keys.find(['composer'], name)?.action;
	return action === 'send' || action === 'newline' ? {type: 'insert', text: '\n'} : editorActionOf(action);
}

/** Adds what was typed to a draft. Returns whether there was any text. */
function keepText(parts: AppParts, {inputs}: TypeAhead, composerId: string): boolean {
	const typed = inputs.reduce(
		(editor, {edit}) => (edit ? editorReduce(editor, edit) : editor),
		createEditor(''),
	);
	const text = editorText(typed).trim();
	if (text === '') return false;
	prepareComposer(parts, composerId);
	const composer = composerAt(parts.composers, composerId);
	if (!composer) return false;
	const end = editorReduce(composer.editor, {type: 'text-end'});
	const editor = editorReduce(end, {type: 'paste', text: end.text === '' ? text : `\n${text}`});
	setComposer(parts.composers, composerId, {...composer, editor});
	parts.drafts.changed(composerId);
	return true;
}
