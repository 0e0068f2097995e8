/* ramknee:orders/payment */
/* One payment at district (@w, @d) by a customer of (@cw, @cd): number @c, or with @c = 0 the one in the middle, by first name,
   of those called @last.  Money crosses the wire in cents.  @keep > 0: that many rows of history are kept a customer (the oldest
   is overwritten), so that the data do not grow; 0: all of them. */
CREATE PROCEDURE dbo.rk_payment
    @w int,
    @d tinyint,
    @cw int,
    @cd tinyint,
    @c int,
    @last varchar(16),
    @cents int,
    @keep int,
    @found int OUTPUT,
    @balance_cents bigint OUTPUT
AS
SET NOCOUNT ON;
SET XACT_ABORT ON;
DECLARE
    @amount decimal(8, 2) = CONVERT(decimal(10, 2), @cents) / 100, @n int, @skip int, @slot int, @rows int = 0, @credit char(2),
    @balance decimal(14, 2), @count int, @data char(24), @now datetime = GETDATE();
BEGIN TRY
    BEGIN TRANSACTION;
    UPDATE dbo.warehouse SET w_ytd = w_ytd + @amount WHERE w_id = @w;
    UPDATE dbo.district SET d_ytd = d_ytd + @amount WHERE d_w_id = @w AND d_id = @d;
    SET @found = @c;
    IF @found = 0
    BEGIN
        /* From the index on names alone: a reader that goes on from there to the row could meet a writer coming the other way. */
        SELECT @n = COUNT(*) FROM dbo.customer WHERE c_w_id = @cw AND c_d_id = @cd AND c_last = @last;
        IF @n = 0
        BEGIN
            THROW 50010, N'ramknee: no customer has this name', 1;
        END;
        SET @skip = (@n - 1) / 2;
        SELECT @found = c_id
        FROM dbo.customer
        WHERE c_w_id = @cw AND c_d_id = @cd AND c_last = @last
        ORDER BY c_first, c_id
        OFFSET @skip ROWS FETCH NEXT 1 ROWS ONLY;
    END;
    UPDATE dbo.customer
    SET c_balance = c_balance - @amount, c_ytd_payment = c_ytd_payment + @amount, c_payment_cnt = c_payment_cnt + 1
    WHERE c_w_id = @cw AND c_d_id = @cd AND c_id = @found;
    SELECT @data = w.w_name + '    ' + d.d_name, @balance = c.c_balance, @credit = c.c_credit, @count = c.c_payment_cnt
    FROM dbo.warehouse AS w
    INNER JOIN dbo.district AS d ON d.d_w_id = w.w_id
    CROSS JOIN dbo.customer AS c
    WHERE w.w_id = @w AND d.d_id = @d AND c.c_w_id = @cw AND c.c_d_id = @cd AND c.c_id = @found;
    IF @credit = 'BC'
        UPDATE dbo.customer
        SET c_data = LEFT(
            CONVERT(varchar(11), @found) + ' ' + CONVERT(varchar(3), @cd) + ' ' + CONVERT(varchar(11), @cw) + ' '
            + CONVERT(varchar(3), @d) + ' ' + CONVERT(varchar(11), @w) + ' ' + CONVERT(varchar(12), @amount) + ' ' + c_data, 500
        )
        WHERE c_w_id = @cw AND c_d_id = @cd AND c_id = @found;
    SET @slot = CASE WHEN @keep > 0 THEN (@count - 1) % @keep + 1 ELSE @count END;
    IF @keep > 0
    BEGIN
        UPDATE dbo.history
        SET h_w_id = @w, h_d_id = @d, h_date = @now, h_amount = @amount, h_data = @data
        WHERE h_c_w_id = @cw AND h_c_d_id = @cd AND h_c_id = @found AND h_n = @slot;
        SET @rows = @@ROWCOUNT;
    END;
    IF @rows = 0
        INSERT INTO dbo.history (h_c_w_id, h_c_d_id, h_c_id, h_n, h_w_id, h_d_id, h_date, h_amount, h_data)
        VALUES (@cw, @cd, @found, @slot, @w, @d, @now, @amount, @data);
    COMMIT TRANSACTION;
    SET @balance_cents = CONVERT(bigint, @balance * 100);
    RETURN 0;
END TRY
BEGIN CATCH
    IF XACT_STATE() <> 0 ROLLBACK TRANSACTION;
    THROW;
END CATCH;
