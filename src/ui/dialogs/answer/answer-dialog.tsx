import {useEffect} from 'react';
import {useStore} from 'zustand';
import {folderOf} from '../../../domain/known.ts';
import type {AgentRequest} from '../../../domain/sessions/agent-request.ts';
import type {SessionItem} from '../../../state/sessions/session-items.ts';
import {cleanLine} from '../../../text/cells/clean.ts';
import {markDeceptive} from '../../../text/cells/deceptive.ts';
import {fitLine, type Line, lineWidth, span, type Tone} from '../../../text/cells/line.ts';
import {safe} from '../../../text/cells/safe.ts';
import type {KeyMap} from '../../keys/key-map.ts';
import {Pane, type Row} from '../../kit/pane.tsx';
import {TextField} from '../../kit/text-field.tsx';
import {useApp} from '../../use-app.ts';
import {type DialogModule, type DialogProps, keyWait} from '../dialog-module.ts';
import {changeDialog} from '../list-layer.ts';
import {useScrolledText} from '../scrolled-text.tsx';
import {strings} from '../strings.ts';
import {answerLayer} from './answer-keys.ts';
import {answerKeys, answerLayout, isRead, listOf, wrapLines} from './answer-layout.ts';
import {type AnswerDialogState, checkIsOpen} from './answer-requests.ts';
import {maxTool} from './request-lines.ts';

/** An agent's request in full, and its answer. Only the keys named below it answer. */
function AnswerDialog({dialog, layout, lists}: DialogProps<'answer'>) {
	const parts = useApp();
	const {keys} = parts;
	const {request, position, waits, isWriting, isBusy} = dialog;
	const session = lists.all.sessionsById.get(request?.sessionId ?? dialog.sessionId ?? '');
	useEffect(() => {
		const setReady = (now: AnswerDialogState) => (now.waits === waits ? {...now, isReady: true} : now);
		return request && parts.actions.clock.after(keyWait, () => changeDialog(parts.view, 'answer', setReady));
	}, [parts, request, waits]);
	const fromHooks = useStore(parts.stores.fleet, ({requests}) => requests);
	// A request that is answered elsewhere changes the session's activity, or the requests of hooks.
	// biome-ignore lint/correctness/useExhaustiveDependencies: each change of either checks again.
	useEffect(() => {
		if (request) void checkIsOpen(parts, request);
	}, [parts, request, session?.activity, session?.signal, fromHooks]);
	const {rect, lines, height, blanks, problemRows, placeRows} = answerLayout(dialog, layout, keys);
	const {top, bottom} = useScrolledText(dialog, rect, lines.length, height);
	const isAtEnd = request !== undefined && isRead(dialog, layout, keys);
	useEffect(() => {
		const setRead = (now: AnswerDialogState) => (now.request === request ? {...now, isRead: true} : now);
		if (isAtEnd) changeDialog(parts.view, 'answer', setRead);
	}, [parts, request, isAtEnd]);
	const shown = lines.slice(top, top + height);
	const label = safe`  ${request?.kind === 'question' ? safe`Your answer` : safe`Words to the agent`}  `;
	const field = fieldSpans(dialog, keys);
	const fits = lineWidth(field) + label.length <= rect.width - 2;
	const isList = listOf(dialog) !== undefined && dialog.editor.text === '';
	const hasLabel = request !== undefined && !isList && (dialog.editor.text !== '' || fits);
	const isTyping = isWriting && isBusy !== true;
	const keyLines = wrapLines(answerKeys(dialog, keys, isAtEnd), rect.width - 6);
	const indent = span(safe`  `);
	const blank = Array.from({length: blanks}, (): Row => ({line: []}));
	const place = fitLine(placeLine(request, session), rect.width - 6);
	const body: Row[] = [
		...(placeRows > 0 ? [{line: [indent, ...place]}] : []),
		...blank,
		...shown.map((line): Row => ({line})),
		...Array.from({length: height - shown.length}, (): Row => ({line: []})),
		...blank,
		{line: [hasLabel ? span(label, isTyping ? 'accent' : 'dim') : indent, ...field]},
		...problemRows.map((row): Row => ({line: [indent, span(row, 'warn')]})),
		...(isBusy ? [[span(safe`Waiting for the service…`, 'info')]] : keyLines).map(
			(line): Row => ({line: [indent, ...line]}),
		),
	];
	const asked = request?.questions?.length ?? 1;
	const nth = safe` ${(dialog.given?.length ?? 0) + 1}/${asked}`;
	const title =
		request?.kind === 'question' ? safe`Answer question${asked > 1 ? nth : safe``}` : safe`Answer request`;
	const dot = span(safe` · `, 'dim');
	return (
		<>
			<Pane
				rect={rect}
				title={[
					span(request ? title : safe`Reading the request…`, 'heading'),
					...(request?.computer && placeRows === 0
						? [dot, span(cleanLine(request.computer, 60), 'warn')]
						: []),
					...(request?.tool && request.kind !== 'question'
						? [dot, span(cleanLine(request.tool, maxTool), 'tool')]
						: []),
					...(position && position.number > 0 && position.count > 1
						? [dot, span(safe`${position.number} of ${position.count}`, 'warn')]
						: []),
					...(session && placeRows === 0 ? [dot, span(cleanLine(session.name, 60))] : []),
				]}
				right={[span(strings.close(keys.label('cancel')), 'dim')]}
				bottom={bottom.map(part => ({...part, tone: 'warn'}))}
				isFocused
				body={body}
			/>
			{isTyping && (
				<TextField
					rect={{
						x: rect.x + 1 + label.length,
						y: rect.y + 1 + placeRows + blanks * 2 + height,
						width: Math.max(1, rect.width - label.length - 3),
						height: 1,
					}}
					editor={dialog.editor}
				/>
			)}
		</>
	);
}

/** Whose request it is: session, agent, computer and folder, as far as they are known. */
function placeLine(request: AgentRequest | undefined, session: SessionItem | undefined): Line {
	const folder = folderOf(session?.known) ?? session?.folder;
	const computer = request?.computer ?? session?.computerName;
	const parts: readonly (readonly [string | undefined, Tone | undefined])[] = [
		[session?.name, 'strong'],
		[session?.known?.session?.agent ?? session?.client, undefined],
		[computer, request?.computer === undefined ? undefined : 'warn'],
		[folder, 'dim'],
	];
	return parts
		.flatMap(([words, tone]) => (words ? [[span(cleanLine(markDeceptive(words), 50), tone)]] : []))
		.flatMap((part, index) => [...(index > 0 ? [span(safe` · `, 'dim')] : []), ...part]);
}

/** The user's words, or what the field is for; empty while the field is drawn over this. */
function fieldSpans(dialog: AnswerDialogState, keys: KeyMap): Line {
	const {editor, isWriting, isBusy, isGone, request} = dialog;
	if (isWriting && !isBusy) return [];
	if (editor.text !== '') return [span(cleanLine(editor.text))];
	if (!request || isGone || isBusy || listOf(dialog)) return [];
	const isQuestion = request.kind === 'question';
	return [
		span(keys.label('answer-words'), 'strong'),
		span(isQuestion ? safe` writes the answer` : safe` writes why you deny it`, 'dim'),
	];
}

export const answerDialog: DialogModule<'answer'> = {Component: AnswerDialog, layer: answerLayer};
