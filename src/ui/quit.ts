import {pushDialog} from '../state/view/dialogs.ts';
import {askToConfirm, setView, type ViewStore} from '../state/view/view.ts';
import {editorText} from '../text/editor/editor.ts';
import type {AppParts} from './use-app.ts';

/** Something that would be lost, to confirm first. */
type Loss = {readonly title: string; readonly text: string};

/** Quits immediately, unless unsent text would be lost or agents are at work; then asks first. */
export async function askToQuit(parts: AppParts): Promise<void> {
	const {view, program} = parts;
	const loss = textLoss(parts, 'Quit');
	if (loss) return askAboutLoss(view, loss, program.quit);
	const agents = await program.agentsAtWork();
	if (agents === 0) program.quit();
	// Ctrl+C pressed twice again asks nothing new.
	else if (view.getState().dialogs.at(-1)?.kind !== 'quit')
		setView(view, now => pushDialog(now, {kind: 'quit', agents}));
}

/** Opens another profile immediately, unless unsent text would be lost; then asks first. */
export function askToOpen(parts: AppParts, profile: string): void {
	const loss = textLoss(parts, 'Leave');
	const open = () => parts.program.profiles.switchTo(profile);
	if (loss) askAboutLoss(parts.view, loss, open);
	else open();
}

function askAboutLoss(view: ViewStore, loss: Loss, yes: () => void): void {
	// Ctrl+C pressed twice again asks nothing new.
	const top = view.getState().dialogs.at(-1);
	if (top?.kind !== 'confirm' || top.title !== loss.title) askToConfirm(view, {...loss, yes});
}

function textLoss(parts: AppParts, verb: 'Quit' | 'Leave'): Loss | undefined {
	const {storage} = parts.stores.connection.getState();
	const isSaved = parts.drafts.flush() && storage === undefined;
	if (isSaved || !hasUnsent(parts)) return undefined;
	const why = (storage?.what ?? "the disk can't be written to").replace(/\.$/, '');
	return {
		title: `${verb} and lose unsent text?`,
		text: `What you wrote can't be saved: ${why}. Copy it first, or ${verb.toLowerCase()} without it.`,
	};
}

function hasUnsent({composers, stores}: AppParts): boolean {
	const isWritten = [...composers.getState().bySession.values()].some(
		({editor}) => editorText(editor).trim() !== '',
	);
	const queued = [...stores.outbox.getState().bySession.values()].flat();
	return isWritten || queued.some(({state}) => state !== 'seen' && state !== 'accepted');
}
