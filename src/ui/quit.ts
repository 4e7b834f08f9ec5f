import {pushDialog} from '../state/view.ts';
import {editorText} from '../text/editor.ts';
import {setView} from './set-view.ts';
import type {AppParts} from './use-app.ts';

/** Quits at once, unless something unsent would be lost with the process. */
export function askToQuit(parts: AppParts): void {
	const {storage} = parts.stores.connection.getState();
	const isKept = parts.drafts.flush() && storage === undefined;
	if (isKept || !hasUnsent(parts)) {
		parts.quit();
		return;
	}
	setView(parts.view, view =>
		pushDialog(view, {
			kind: 'confirm',
			title: 'Quit and lose unsent text?',
			text: `What you wrote can't be kept: ${withoutStop(storage?.what ?? 'the disk takes nothing')}. Copy it first, or quit without it.`,
			intent: {name: 'quit'},
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
