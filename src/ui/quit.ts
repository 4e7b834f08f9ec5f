import type {Intent} from '../state/view/dialogs.ts';
import {askToConfirm, type ViewStore} from '../state/view/view.ts';
import {editorText} from '../text/editor/editor.ts';
import {strings} from './strings.ts';
import type {AppParts, Parts, Program} from './use-app.ts';

/** Something that would be lost, to confirm first. */
type Loss = {readonly title: string; readonly text: string};

/**
 * Quits immediately, unless unsent text would be lost or working agents would be stopped; then asks first.
 */
export function askToQuit(parts: AppParts): void {
	const losses = [textLoss(parts, 'Quit'), agentLoss(parts.program)].filter(loss => loss !== undefined);
	confirmLosses(parts.view, losses, {name: 'quit'}, parts.program.quit);
}

/** Opens another profile immediately, unless unsent text would be lost; then asks first. */
export function askToOpen(parts: AppParts, profile: string): void {
	const losses = [textLoss(parts, 'Leave')].filter(loss => loss !== undefined);
	confirmLosses(parts.view, losses, {name: 'open-profile', profile}, () =>
		parts.program.profiles.switchTo(profile),
	);
}

function confirmLosses(view: ViewStore, losses: readonly Loss[], intent: Intent, proceed: () => void): void {
	const [first] = losses;
	if (!first) {
		proceed();
		return;
	}
	// Ctrl+C pressed twice again asks nothing new.
	const top = view.getState().dialogs.at(-1);
	if (top?.kind === 'confirm' && top.intent.name === intent.name) return;
	const text = losses.map(loss => loss.text).join(' ');
	askToConfirm(view, {title: first.title, text, intent});
}

function textLoss(parts: Parts<'composers' | 'drafts' | 'stores'>, verb: 'Quit' | 'Leave'): Loss | undefined {
	const {storage} = parts.stores.connection.getState();
	const isSaved = parts.drafts.saveAll() && storage === undefined;
	if (isSaved || !hasUnsent(parts)) return undefined;
	const why = (storage?.what ?? strings.quit.unwritable).replace(/\.$/, '');
	return {title: strings.quit.textTitle(verb), text: strings.quit.text(why, verb)};
}

function agentLoss({agentsAtWork}: Program): Loss | undefined {
	const count = agentsAtWork();
	return count === 0 ? undefined : {title: strings.quit.agentsTitle(count), text: strings.quit.agents(count)};
}

function hasUnsent({composers, stores}: Parts<'composers' | 'stores'>): boolean {
	const isWritten = [...composers.getState().bySession.values()].some(
		({editor}) => editorText(editor).trim() !== '',
	);
	const queued = [...stores.outbox.getState().bySession.values()].flat();
	return isWritten || queued.some(({state}) => state !== 'seen' && state !== 'accepted');
}
