import type {Intent} from '../state/view/dialogs.ts';
import {askToConfirm, type ViewStore} from '../state/view/view.ts';
import {editorText} from '../text/editor/editor.ts';
import {strings} from './strings.ts';
import type {AppParts, Parts} from './use-app.ts';

/** Something that would be lost, to confirm first. */
type Loss = {readonly title: string; readonly text: string};

/** Quits immediately, unless unsent text would be lost; then asks first. */
export function askToQuit(parts: AppParts): void {
	confirmLoss(parts.view, textLoss(parts, 'Quit'), {name: 'quit'}, parts.program.quit);
}

/** Opens another profile immediately, unless unsent text would be lost; then asks first. */
export function askToOpen(parts: AppParts, profile: string): void {
	confirmLoss(parts.view, textLoss(parts, 'Leave'), {name: 'open-profile', profile}, () =>
		parts.program.profiles.switchTo(profile),
	);
}

function confirmLoss(view: ViewStore, loss: Loss | undefined, intent: Intent, proceed: () => void): void {
	if (!loss) {
		proceed();
		return;
	}
	// Ctrl+C pressed twice again asks nothing new.
	const top = view.getState().dialogs.at(-1);
	if (top?.kind === 'confirm' && top.intent.name === intent.name) return;
	askToConfirm(view, {...loss, intent});
}

function textLoss(parts: Parts<'composers' | 'drafts' | 'stores'>, verb: 'Quit' | 'Leave'): Loss | undefined {
	const {storage} = parts.stores.connection.getState();
	const isSaved = parts.drafts.saveAll() && storage === undefined;
	if (isSaved || !hasUnsent(parts)) return undefined;
	const why = (storage?.what ?? strings.quit.unwritable).replace(/\.$/, '');
	return {title: strings.quit.textTitle(verb), text: strings.quit.text(why, verb)};
}

function hasUnsent({composers, stores}: Parts<'composers' | 'stores'>): boolean {
	const isWritten = [...composers.getState().bySession.values()].some(
		({editor}) => editorText(editor).trim() !== '',
	);
	const queued = [...stores.outbox.getState().bySession.values()].flat();
	return isWritten || queued.some(({state}) => state !== 'seen' && state !== 'accepted');
}
