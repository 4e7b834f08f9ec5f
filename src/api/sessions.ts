import {z} from 'zod';
import {cwdLength} from '../domain/limits.ts';
import type {Session} from '../domain/session.ts';
import type {Caller} from './call.ts';
import {readOne} from './envelope.ts';
import type {Service} from './service.ts';
import {id, softInstant, softList, softMap, softNumber, softObject, softPart, softText} from './soft.ts';
import {anyText, check, pathId, someText, textOf} from './strict.ts';

const tokenUsage = softPart({
	inputTokens: softNumber,
	outputTokens: softNumber,
	cacheCreationTokens: softNumber,
	cacheReadTokens: softNumber,
	thinkingTokens: softNumber,
	serviceCredits: softNumber,
});

const session = softObject({
	sessionId: id,
	status: softText,
	messageCount: softNumber,
	createdAt: softInstant,
	updatedAt: softInstant,
	title: softText,
	completedAt: softInstant,
	computerId: softText,
	sessionSettings: softPart({
		model: softText,
		specModeModel: softText,
		providerLockTimestamp: softText,
		assistantActiveTimeMs: softNumber,
		childInclusiveTokenUsageBySessionId: softMap(z.unknown()),
		archivedAt: softText,
		tags: softList(softObject({name: z.string(), metadata: softMap(z.unknown())})),
		enabledToolIds: softList(z.string()),
		disabledToolIds: softList(z.string()),
		tokenUsage,
		inclusiveTokenUsage: tokenUsage,
	}),
});

const freeObject = z.record(z.string(), z.unknown(), 'must be an object');
const toolIds = z.array(anyText, 'must be a list').optional();

/** What may be sent: `tokenUsage` and `inclusiveTokenUsage` appear in responses only (contract 2.5). */
const settings = z.strictObject(
	{
		model: anyText.optional(),
		specModeModel: anyText.optional(),
		providerLockTimestamp: anyText.optional(),
		assistantActiveTimeMs: z.number('must be a number').optional(),
		childInclusiveTokenUsageBySessionId: freeObject.optional(),
		archivedAt: anyText.optional(),
		tags: z
			.array(z.strictObject({name: anyText, metadata: freeObject.optional()}), 'must be a list')
			.optional(),
		enabledToolIds: toolIds,
		disabledToolIds: toolIds,
	},
	{error: issue => (issue.code === 'invalid_type' ? 'must be an object' : undefined)},
);

const draft = z.strictObject({
	computerId: someText,
	cwd: textOf(cwdLength).optional(),
	sessionSettings: settings.optional(),
});

const patch = z.strictObject({sessionSettings: settings.optional()});

const root = '/api/v0/sessions';

/** Sessions (contract 4.6). */
export function createSessions(call: Caller): Service['sessions'] {
	const decode = (answer: unknown): Session => readOne(answer, session, 'session');
	return {
		create: async (values, options) =>
			call(
				{
					resource: 'sessions.create',
					host: 'base',
					method: 'POST',
					path: root,
					body: check(draft, values, 'session'),
					policy: 'post',
					decode,
				},
				options,
			),
		update: async (sessionId, values, options) =>
			call(
				{
					resource: 'sessions.update',
					host: 'base',
					method: 'PATCH',
					path: `${root}/${pathId(sessionId, 'sessionId')}`,
					body: check(patch, values, 'session'),
					policy: 'read',
					decode,
				},
				options,
			),
	};
}
