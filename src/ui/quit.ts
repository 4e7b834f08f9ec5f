import {type Intent, pushDialog} from '../state/view.ts';
import {editorText} from '../text/editor.ts';
import {setView} from './set-view.ts';
import type {AppParts} from './use-app.ts';

/** Quits at once, unless something unsent would be lost with the process. */
export function askToQuit(parts: AppParts): void {
	unlessLost(parts, 'Quit', {name: 'quit'}, parts.quit);
}

/** Opens another profile at once, unless something unsent would be lost with this one. */
export function askToOpen(parts: AppParts, profile: string): void {
	unlessLost(parts, 'Leave', {name: 'open-profile', profile}, () => parts.profiles.switchTo(profile));
}

function unlessLost(parts: AppParts, verb: 'Quit' | 'Leave', intent: Intent, go: () => void): void {
	const {storage} = parts.stores.connection.getState();
	const isKept = parts.drafts.flush() && storage === undefined;
	if (isKept || !hasUnsent(parts)) {
		go();
		return;
	}
	const why = withoutStop(storage?.what ?? 'the disk takes nothing');
	setView(parts.view, view =>
		pushDialog(view, {
			kind: 'confirm',
			title: `${verb} and lose unsent text?`,
			text: `What you wrote can't be kept: ${why}. Copy it first, or ${verb.toLowerCase()} without it.`,
			intent,
		}),
	);
}

function withoutStop(text: string): string {
	return text.replace(/\.$/, '');
}

function hasUnsent({composers, stores}: AppParts): boolean {
	const isWritten = [...composers.getState().bySession.values()].some(
		({editor}) => editorText(editor).trim() !== '',
	);
	const queued = [...stores.outbox.getState().bySession.values()].flat();
	return isWritten || queued.some(({state}) => state !== 'seen' && state !== 'accepted');
}
