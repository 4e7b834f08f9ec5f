import {type Intent, pushDialog} from '../state/dialogs.ts';
import {editorText} from '../text/editor.ts';
import {setView} from './set-view.ts';
import type {AppParts} from './use-app.ts';

/** What would be lost, to be asked about first. */
type Loss = {readonly title: string; readonly text: string};

/** Quits at once, unless something unsent would be lost with the process, or agents at work would end with it. */
export function askToQuit(parts: AppParts): void {
	const losses = [textLoss(parts, 'Quit'), agentLoss(parts)].filter(loss => loss !== undefined);
	unlessLost(parts, losses, {name: 'quit'}, parts.quit);
}

/** Opens another profile at once, unless something unsent would be lost with this one. */
export function askToOpen(parts: AppParts, profile: string): void {
	const losses = [textLoss(parts, 'Leave')].filter(loss => loss !== undefined);
	unlessLost(parts, losses, {name: 'open-profile', profile}, () => parts.profiles.switchTo(profile));
}

function unlessLost({view}: AppParts, losses: readonly Loss[], intent: Intent, go: () => void): void {
	const [first] = losses;
	if (!first) {
		go();
		return;
	}
	// Ctrl+C twice may ask what is asked already.
	const top = view.getState().dialogs.at(-1);
	if (top?.kind === 'confirm' && top.intent.name === intent.name) return;
	const text = losses.map(loss => loss.text).join(' ');
	setView(view, now => pushDialog(now, {kind: 'confirm', title: first.title, text, intent}));
}

function textLoss(parts: AppParts, verb: 'Quit' | 'Leave'): Loss | undefined {
	const {storage} = parts.stores.connection.getState();
	const isSaved = parts.drafts.saveAll() && storage === undefined;
	if (isSaved || !hasUnsent(parts)) return undefined;
	const why = withoutStop(storage?.what ?? 'the disk takes nothing');
	return {
		title: `${verb} and lose unsent text?`,
		text: `What you wrote can't be kept: ${why}. Copy it first, or ${verb.toLowerCase()} without it.`,
	};
}

function agentLoss({agentsAtWork}: AppParts): Loss | undefined {
	const count = agentsAtWork();
	if (count === 0) return undefined;
	const [agents, are, end] = count === 1 ? ['1 agent', 'is', 'ends'] : [`${count} agents`, 'are', 'end'];
	return {
		title: `Quit and end ${agents}?`,
		text: `${agents} ${are} at work in this program's own service and ${end} with it: answers so far are kept, messages that wait for their turn are not run. Another open Quarterdeck takes the service over, but not its agents. Where quarterdeck serve runs in a terminal of its own, agents outlive the screen.`,
	};
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
