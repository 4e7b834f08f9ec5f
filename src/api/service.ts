import type {Computer, ComputerDraft, ComputerPatch} from '../domain/computers/computer.ts';
import type {AddedMessage, Message, MessageDraft, MessageRole} from '../domain/messages/message.ts';
import type {
	ActivityRow,
	Analytics,
	AnalyticsQuery,
	ProductivityRow,
	TokenRow,
	ToolRow,
	UserRow,
} from '../domain/organization/analytics.ts';
import type {ControlChange} from '../domain/organization/controls.ts';
import type {ReadinessReport} from '../domain/organization/readiness.ts';
import type {User} from '../domain/organization/user.ts';
import type {Page} from '../domain/page.ts';
import type {Session, SessionDraft, SessionSettingsPatch} from '../domain/sessions/session.ts';

/** Options of every call: aborting `signal` rejects it with `AbortError`. */
export type CallOptions = {readonly signal?: AbortSignal};

/** `limit` is 1-100 (20 if absent); `cursor` is opaque. */
export type PageQuery = {readonly limit?: number; readonly cursor?: string};

export type MessageQuery = PageQuery & {readonly computerId?: string; readonly role?: MessageRole};

/** `limit` is any positive integer; `startAfter` a report id. */
export type ReadinessQuery = {
	readonly repoId?: string;
	readonly limit?: number;
	readonly startAfter?: string;
};

/** A page of readiness reports. The response has no pagination, only the list. */
export type ReportPage = {readonly items: readonly ReadinessReport[]; readonly skipped: number};

/**
 * The whole service interface, one function per endpoint. Strict about requests (throws `ValidationError`
 * before sending anything), lenient about responses. Throws the error classes of `errors.ts`.
 */
export type Service = {
	readonly computers: {
		create(draft: ComputerDraft, options?: CallOptions): Promise<Computer>;
		get(computerId: string, options?: CallOptions): Promise<Computer>;
		update(computerId: string, patch: ComputerPatch, options?: CallOptions): Promise<Computer>;
		installDeps(computerId: string, options?: CallOptions): Promise<Computer>;
	};
	readonly sessions: {
		create(draft: SessionDraft, options?: CallOptions): Promise<Session>;
		/** An empty patch (`{}`) changes nothing and returns the whole session: the only way to read one. */
		update(
			sessionId: string,
			patch: {sessionSettings?: SessionSettingsPatch},
			options?: CallOptions,
		): Promise<Session>;
	};
	readonly messages: {
		list(sessionId: string, query?: MessageQuery, options?: CallOptions): Promise<Page<Message>>;
		add(sessionId: string, draft: MessageDraft, options?: CallOptions): Promise<AddedMessage>;
	};
	readonly users: {list(query?: PageQuery, options?: CallOptions): Promise<Page<User>>};
	readonly controls: {history(query?: PageQuery, options?: CallOptions): Promise<Page<ControlChange>>};
	readonly readiness: {list(query?: ReadinessQuery, options?: CallOptions): Promise<ReportPage>};
	readonly analytics: {
		/**
		 * The last day with analytics: yesterday in UTC, by the service's clock as far as it is known. Sends
		 * nothing.
		 */
		lastDay(): Promise<string>;
		tokens(query: AnalyticsQuery<'model'>, options?: CallOptions): Promise<Analytics<TokenRow>>;
		tools(query: AnalyticsQuery<'tool_name'>, options?: CallOptions): Promise<Analytics<ToolRow>>;
		activity(query: AnalyticsQuery<'client'>, options?: CallOptions): Promise<Analytics<ActivityRow>>;
		productivity(query: AnalyticsQuery<never>, options?: CallOptions): Promise<Analytics<ProductivityRow>>;
		users(query: AnalyticsQuery<never> & PageQuery, options?: CallOptions): Promise<Analytics<UserRow>>;
	};
	/** Closes idle connections; running calls complete. */
	close(): Promise<void>;
};
